import Synchronization

/// Keeps what parties reported, bounded in memory, and groups it into stories.
///
/// Entries that share a business id (the same value under the same namespace) belong to one story, and so do entries
/// linked through a third. When the bound is reached the stories that have been silent longest are forgotten whole.
///
/// What a ``TraceForwarder`` of the same process brings is grouped when somebody looks: the work would be for nothing where it is
/// forgotten before. Until then it counts for no story: at the bound stories that were looked at go first, though more of them may wait, and
/// then the oldest of what waits, however many of them one story has.
public final class TraceStore: TraceSink {
    private let state: Mutex<TraceStoreState>
    /// Readers that have gone. A reader may end while its task is locked, and is told of entries under the state's lock: ending takes this one.
    private let gone = Mutex<[UInt64]>([])
    private let limits: TraceLimits

    /// - Parameters:
    ///   - maximumEntries: The most entries kept over all stories.
    ///   - maximumEntriesPerStory: What one story may grow to; then its oldest tenth is forgotten.
    ///   - maximumBytes: What the entries' texts may take together, roughly.
    ///   - limits: How much of one entry is kept.
    public init(
        maximumEntries: Int = 50_000, maximumEntriesPerStory: Int = 5_000, maximumBytes: Int = 128 * 1_048_576,
        limits: TraceLimits = TraceLimits()
    ) {
        state = Mutex(
            TraceStoreState(
                maximumEntries: max(1, maximumEntries), maximumEntriesPerStory: max(1, min(maximumEntries, maximumEntriesPerStory)),
                maximumWeight: max(1, maximumBytes)))
        self.limits = limits
    }

    public func record(_ entry: TraceEntry) { ingest([entry]) }

    /// Takes a batch. An entry whose id is known is ignored, so a batch may be sent twice.
    ///
    /// - Returns: How many entries were new.
    @discardableResult
    public func ingest(_ entries: [TraceEntry]) -> Int {
        let bounded = entries.map(limits.bounded)
        return grouped { state in
            var taken = 0
            for entry in bounded where state.take(entry, PackedEntry(entry)) { taken += 1 }
            return taken
        }
    }

    /// Takes a batch that is within the limits, and groups it when somebody looks.
    func hold(_ entries: [PackedEntry]) {
        let isWatched = state.withLock { state in
            dismiss(from: &state)
            return state.hold(entries)
        }
        if isWatched { grouped { _ in } }
    }

    /// The number of entries held.
    public var count: Int { grouped { $0.entryCount } }

    /// The story that an id leads to: a story's id, an entry's id, a business id's value, or `namespace:value`.
    public func story(_ id: String) -> TraceStory? { grouped { $0.story(id) }?.presented }

    /// The stories that were active last, newest activity first.
    public func recentStories(limit: Int = 50) -> [TraceStory] {
        grouped { $0.recentStories(limit: limit) }.map(\.presented)
    }

    /// New entries as they arrive: those of one story, or all.
    ///
    /// The id may be one that no entry has carried yet: a page may be opened before the first message. Entries that join
    /// the story later because two stories turn out to be one are delivered too. A reader that falls behind by more than
    /// `backlog` entries loses the oldest and finds them by asking for the story again.
    ///
    /// - Parameters:
    ///   - id: Leads to a story as in ``story(_:)``; nil is all of them.
    ///   - after: Entries with a greater sequence that are already there are delivered first.
    ///   - backlog: How many unread entries are kept for the reader, at least one.
    public func arrivals(of id: String? = nil, after: UInt64? = nil, backlog: Int = 1_024) -> AsyncStream<TraceStory.Arrival> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TraceStory.Arrival.self, bufferingPolicy: .bufferingNewest(max(1, backlog)))
        let token = grouped { $0.subscribe(to: id, after: after, atMost: max(1, backlog), continuation: continuation) }
        continuation.onTermination = { [weak self] _ in self?.gone.withLock { $0.append(token) } }
        return stream
    }

    /// Groups what waits, in parts between which other tasks have their turn. Reading groups it too, but in one go: of tens of thousands
    /// of entries that may take a second.
    public func groupWhatWaits() async {
        let part = 500
        // What comes meanwhile is not waited for.
        for _ in stride(from: 0, to: state.withLock { $0.waitingCount }, by: part) {
            state.withLock { $0.group(atMost: part) }
            await Task.yield()
        }
    }

    /// The body with everything grouped.
    @discardableResult
    private func grouped<Result>(_ body: (inout TraceStoreState) -> Result) -> Result {
        state.withLock { state in
            dismiss(from: &state)
            state.group(atMost: .max)
            return body(&state)
        }
    }

    private func dismiss(from state: inout TraceStoreState) {
        for token in gone.withLock({ gone in
            defer { gone = [] }
            return gone
        }) { state.unsubscribe(token) }
    }
}
