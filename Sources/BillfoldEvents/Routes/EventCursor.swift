/// A place in a feed as its reader is told it: to be given back as it is.
struct EventCursor: Sendable, Hashable, CustomStringConvertible {
    var place: Int64

    init(_ place: Int64) { self.place = place }

    private static let prefix = "evc_"

    var description: String { Self.prefix + String(place, radix: 16) }

    /// Reads what ``description`` wrote, and nothing else.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let place = Int64(text.dropFirst(Self.prefix.count), radix: 16), place >= 0 else { return nil }
        self.place = place
        guard description.utf8.elementsEqual(text.utf8) else { return nil }
    }
}
