/// The entries of one business case, in the order they happened.
public struct TraceStory: Sendable, Hashable, Codable, Identifiable {
    /// An entry with its place in the order of arrival at the store.
    public struct Arrival: Sendable, Hashable, Codable {
        /// Grows with every entry the store takes, over all stories; the event id of live pages.
        public var sequence: UInt64
        public var entry: TraceEntry

        public init(sequence: UInt64, entry: TraceEntry) {
            self.sequence = sequence
            self.entry = entry
        }
    }

    /// The id of the entry that began the story. Where two stories turn out to be one, the earlier one's id stays.
    public var id: String
    /// Every business id that links the entries, namespace to values.
    public var correlation: [String: Set<String>]
    /// Ordered by the reporters' clocks, then by arrival.
    public var arrivals: [Arrival]

    public var entries: [TraceEntry] { arrivals.map(\.entry) }

    public init(id: String, correlation: [String: Set<String>], arrivals: [Arrival]) {
        self.id = id
        self.correlation = correlation
        self.arrivals = arrivals
    }
}
