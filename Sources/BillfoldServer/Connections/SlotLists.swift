/// Linked lists of numbered slots. A slot is in one list at most, and every step takes the same time however many there are.
struct SlotLists {
    struct List {
        fileprivate(set) var first: Int?
        fileprivate var last: Int?

        var isEmpty: Bool { first == nil }
    }

    private struct Link {
        var before: Int?
        var after: Int?
    }

    private var links: [Link] = []

    /// Puts a slot that is in no list at the end of one.
    mutating func append(_ slot: Int, to list: inout List) {
        while links.count <= slot { links.append(Link()) }
        links[slot] = Link(before: list.last, after: nil)
        if let last = list.last { links[last].after = slot } else { list.first = slot }
        list.last = slot
    }

    /// Takes a slot out of the list that it is in.
    mutating func remove(_ slot: Int, from list: inout List) {
        let link = links[slot]
        if let before = link.before { links[before].after = link.after } else { list.first = link.after }
        if let after = link.after { links[after].before = link.before } else { list.last = link.before }
        links[slot] = Link()
    }

    /// Puts a slot of the list at its end.
    mutating func moveToEnd(_ slot: Int, of list: inout List) {
        guard list.last != slot else { return }
        remove(slot, from: &list)
        append(slot, to: &list)
    }
}
