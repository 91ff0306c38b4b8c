import Foundation

/// What a list is to show: sections and their items, each of which is there once.
///
/// What would crash on a device changes nothing here. It is kept, and told as a ``ScreenFault`` by the source that the snapshot is applied to.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
    fileprivate struct Section {
        var identifier: SectionIdentifierType
        var items: [ItemIdentifierType] = []
    }

    private var sections: [Section] = []
    public private(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []
    public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
    public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []
    /// What would crash on a device.
    private(set) var mistakes: [String] = []

    public init() {}

    // MARK: What is there

    public var numberOfSections: Int { sections.count }
    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
    public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.identifier) }
    public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

    /// How many items a section has.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int { itemIdentifiers(inSection: identifier).count }

    /// The items of a section: none where it is not there.
    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        indexOfSection(identifier).map { sections[$0].items } ?? []
    }

    /// The section that an item is in.
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
        place(of: identifier).map { sections[$0.section].identifier }
    }

    /// Where an item stands among all of them.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }

    /// Where a section stands.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? { sections.firstIndex { $0.identifier == identifier } }

    func place(of item: ItemIdentifierType) -> (section: Int, item: Int)? {
        for (number, section) in sections.enumerated() {
            if let place = section.items.firstIndex(of: item) { return (number, place) }
        }
        return nil
    }

    func item(_ item: Int, in section: Int) -> ItemIdentifierType? {
        guard sections.indices.contains(section), sections[section].items.indices.contains(item) else { return nil }
        return sections[section].items[item]
    }

    // MARK: Items

    /// Adds items at the end of a section, or of the last one.
    public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil) {
        let place = sectionIdentifier.map { indexOfSection($0) } ?? sections.indices.last
        guard let place else { return mistake("no section for items") }
        insert(identifiers, at: (place, sections[place].items.count))
    }

    /// Adds items before another.
    public mutating func insertItems(_ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType) {
        guard let place = place(of: beforeIdentifier) else { return mistake("no item \(beforeIdentifier)") }
        insert(identifiers, at: place)
    }

    /// Adds items after another.
    public mutating func insertItems(_ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType) {
        guard let place = place(of: afterIdentifier) else { return mistake("no item \(afterIdentifier)") }
        insert(identifiers, at: (place.section, place.item + 1))
    }

    /// Takes items away. One that is not there is none.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        let gone = Set(identifiers)
        for section in sections.indices { sections[section].items.removeAll { gone.contains($0) } }
        forget()
    }

    /// Takes everything away, sections too.
    public mutating func deleteAllItems() {
        sections = []
        forget()
    }

    /// Puts an item before another.
    public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType) {
        move(identifier, to: toIdentifier, 0)
    }

    /// Puts an item after another.
    public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType) {
        move(identifier, to: toIdentifier, 1)
    }

    /// Has items' cells made anew.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
        for item in identifiers where isThere(item) { reloadedItemIdentifiers.append(item) }
    }

    /// Has items' cells filled again.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        for item in identifiers where isThere(item) { reconfiguredItemIdentifiers.append(item) }
    }

    private mutating func isThere(_ item: ItemIdentifierType) -> Bool {
        if place(of: item) != nil { return true }
        mistake("no item \(item)")
        return false
    }

    private mutating func insert(_ items: [ItemIdentifierType], at place: (section: Int, item: Int)) {
        var known = Set(itemIdentifiers)
        var new: [ItemIdentifierType] = []
        for item in items {
            if known.insert(item).inserted { new.append(item) } else { mistake("the item \(item) twice") }
        }
        sections[place.section].items.insert(contentsOf: new, at: place.item)
    }

    private mutating func move(_ item: ItemIdentifierType, to other: ItemIdentifierType, _ offset: Int) {
        guard item != other, let old = place(of: item), place(of: other) != nil else {
            return mistake("\(item) can't be moved to \(other)")
        }
        sections[old.section].items.remove(at: old.item)
        guard let new = place(of: other) else { return }
        sections[new.section].items.insert(item, at: new.item + offset)
    }

    // MARK: Sections

    /// Adds sections at the end.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) { insert(identifiers, at: sections.count) }

    /// Adds sections before another.
    public mutating func insertSections(_ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType) {
        insert(identifiers, at: indexOfSection(toIdentifier))
    }

    /// Adds sections after another.
    public mutating func insertSections(_ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType) {
        insert(identifiers, at: indexOfSection(toIdentifier).map { $0 + 1 })
    }

    /// Takes sections away, with their items.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        let gone = Set(identifiers)
        sections.removeAll { gone.contains($0.identifier) }
        forget()
    }

    /// Puts a section before another.
    public mutating func moveSection(_ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType) {
        move(identifier, to: toIdentifier, 0)
    }

    /// Puts a section after another.
    public mutating func moveSection(_ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType) {
        move(identifier, to: toIdentifier, 1)
    }

    /// Has the cells of sections made anew.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        for section in identifiers {
            if indexOfSection(section) == nil { mistake("no section \(section)") } else { reloadedSectionIdentifiers.append(section) }
        }
    }

    private mutating func insert(_ identifiers: [SectionIdentifierType], at place: Int?) {
        guard var place else { return mistake("no such section to put others beside") }
        for identifier in identifiers {
            guard indexOfSection(identifier) == nil else {
                mistake("the section \(identifier) twice")
                continue
            }
            sections.insert(Section(identifier: identifier), at: place)
            place += 1
        }
    }

    private mutating func move(_ section: SectionIdentifierType, to other: SectionIdentifierType, _ offset: Int) {
        guard section != other, let old = indexOfSection(section), indexOfSection(other) != nil else {
            return mistake("\(section) can't be moved to \(other)")
        }
        let moved = sections.remove(at: old)
        guard let new = indexOfSection(other) else { return }
        sections.insert(moved, at: new + offset)
    }

    // MARK: For the sources

    /// As a source keeps it: what was to be loaded again has been.
    func settled() -> Self {
        var settled = self
        (settled.reloadedSectionIdentifiers, settled.reloadedItemIdentifiers, settled.reconfiguredItemIdentifiers) = ([], [], [])
        settled.mistakes = []
        return settled
    }

    /// Where the item of a path of another snapshot stands in this one; nil if it is gone, or its cell is made anew.
    func path(_ path: IndexPath, from before: Self) -> IndexPath? {
        guard let item = before.item(path.item, in: path.section), let place = place(of: item), !reloadedItemIdentifiers.contains(item),
            !reloadedSectionIdentifiers.contains(sections[place.section].identifier)
        else { return nil }
        return IndexPath(item: place.item, section: place.section)
    }

    private mutating func forget() {
        let items = Set(itemIdentifiers)
        reloadedItemIdentifiers.removeAll { !items.contains($0) }
        reconfiguredItemIdentifiers.removeAll { !items.contains($0) }
        let sections = Set(sectionIdentifiers)
        reloadedSectionIdentifiers.removeAll { !sections.contains($0) }
    }

    private mutating func mistake(_ reason: String) { mistakes.append(reason) }
}

extension NSDiffableDataSourceSnapshot: Sendable where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
extension NSDiffableDataSourceSnapshot.Section: Sendable where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
