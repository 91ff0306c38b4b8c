/// What a ``TraceStore`` holds, as a value: every change is a function of the state alone.
struct TraceStoreState {
    typealias Arrival = TraceStory.Arrival

    struct Key: Hashable {
        var namespace: String
        var value: String
    }

    struct Story {
        var id: String
        var keys: Set<Key> = []
        var arrivals: [Arrival] = []
        var lastSequence: UInt64 = 0

        mutating func add(_ arrival: Arrival, _ keys: [Key]) {
            arrivals.append(arrival)
            lastSequence = arrival.sequence
            self.keys.formUnion(keys)
        }

        /// A tenth goes at once, so that a full story does not move all its arrivals for every entry.
        mutating func removeOldest(above maximum: Int) -> [Arrival] {
            guard arrivals.count > maximum else { return [] }
            // An array of its own: a slice would share the story's, which the removal then had to copy whole.
            let gone = Array(arrivals.prefix(arrivals.count - maximum + maximum / 10))
            arrivals.removeFirst(gone.count)
            return gone
        }
    }

    struct Subscriber {
        var id: String?
        var continuation: AsyncStream<Arrival>.Continuation
        /// Sequences the reader has, so that a merge of two stories delivers the rest and nothing twice.
        var delivered: Set<UInt64> = []
    }

    struct Delivery {
        var continuation: AsyncStream<Arrival>.Continuation
        var arrival: Arrival
    }

    let maximumEntries: Int
    let maximumEntriesPerStory: Int
    let maximumWeight: Int
    private(set) var entryCount = 0
    private var weight = 0
    private var nextSequence: UInt64 = 1
    private var nextToken: UInt64 = 1
    private var stories: [String: Story] = [:]
    private var storyOfKey: [Key: String] = [:]
    private var storyOfEntry: [String: String] = [:]
    private var keysOfValue: [String: Set<Key>] = [:]
    private var subscribers: [UInt64: Subscriber] = [:]
    private var deliveries: [Delivery] = []

    init(maximumEntries: Int, maximumEntriesPerStory: Int, maximumWeight: Int) {
        self.maximumEntries = maximumEntries
        self.maximumEntriesPerStory = maximumEntriesPerStory
        self.maximumWeight = maximumWeight
    }

    /// Takes an entry, unless its id is known.
    mutating func take(_ entry: TraceEntry) -> Bool {
        guard storyOfEntry[entry.id] == nil else { return false }
        let keys = entry.correlation.map { Key(namespace: $0.key, value: $0.value) }
        let linked = Set(keys.compactMap { storyOfKey[$0] })
        let storyID = merge(linked) ?? entry.id
        let arrival = Arrival(sequence: nextSequence, entry: entry)
        nextSequence += 1
        // In place: a copy would copy every entry of the story.
        stories[storyID, default: Story(id: storyID)].add(arrival, keys)
        for key in keys where storyOfKey.updateValue(storyID, forKey: key) == nil { keysOfValue[key.value, default: []].insert(key) }
        storyOfEntry[entry.id] = storyID
        entryCount += 1
        weight += entry.weight
        for oldest in stories[storyID]?.removeOldest(above: maximumEntriesPerStory) ?? [] {
            storyOfEntry[oldest.entry.id] = nil
            entryCount -= 1
            weight -= oldest.entry.weight
        }
        deliver(storyID, newest: arrival, whole: linked.count > 1)
        evict(sparing: storyID)
        return true
    }

    func story(_ id: String) -> TraceStory? { resolve(id).flatMap { stories[$0] }.map(present) }

    func recentStories(limit: Int) -> [TraceStory] {
        stories.values.sorted { $0.lastSequence > $1.lastSequence }.prefix(max(0, limit)).map(present)
    }

    mutating func subscribe(
        to id: String?, after: UInt64?, continuation: AsyncStream<Arrival>.Continuation
    ) -> (token: UInt64, earlier: [Arrival]) {
        let token = nextToken
        nextToken += 1
        let held = id.map { resolve($0).flatMap { stories[$0] }.map(\.arrivals) ?? [] } ?? stories.values.flatMap(\.arrivals)
        // Whoever names no starting point has just read the story itself.
        let earlier = after.map { after in held.filter { $0.sequence > after }.sorted { $0.sequence < $1.sequence } } ?? []
        subscribers[token] = Subscriber(id: id, continuation: continuation, delivered: id == nil ? [] : Set(held.map(\.sequence)))
        return (token, earlier)
    }

    mutating func unsubscribe(_ token: UInt64) { subscribers[token] = nil }

    mutating func takeDeliveries() -> [Delivery] {
        defer { deliveries = [] }
        return deliveries
    }

    // MARK: Grouping

    private func resolve(_ id: String) -> String? {
        if stories[id] != nil { return id }
        if let story = storyOfEntry[id] { return story }
        if let colon = id.firstIndex(of: ":") {
            let key = Key(namespace: String(id[..<colon]), value: String(id[id.index(after: colon)...]))
            if let story = storyOfKey[key] { return story }
        }
        // One value under several namespaces may lead to several stories: the one that moved last is meant.
        let candidates = Set((keysOfValue[id] ?? []).compactMap { storyOfKey[$0] })
        return candidates.max { (stories[$0]?.lastSequence ?? 0) < (stories[$1]?.lastSequence ?? 0) }
    }

    /// Joins stories into the one that began first, and returns its id.
    private mutating func merge(_ ids: Set<String>) -> String? {
        if ids.count <= 1 { return ids.first { stories[$0] != nil } }
        let found = ids.compactMap { stories[$0] }.sorted {
            ($0.arrivals.first?.sequence ?? 0) < ($1.arrivals.first?.sequence ?? 0)
        }
        guard var survivor = found.first else { return nil }
        for absorbed in found.dropFirst() {
            stories[absorbed.id] = nil
            survivor.keys.formUnion(absorbed.keys)
            survivor.arrivals = (survivor.arrivals + absorbed.arrivals).sorted { $0.sequence < $1.sequence }
            survivor.lastSequence = max(survivor.lastSequence, absorbed.lastSequence)
            for key in absorbed.keys { storyOfKey[key] = survivor.id }
            for arrival in absorbed.arrivals { storyOfEntry[arrival.entry.id] = survivor.id }
        }
        stories[survivor.id] = survivor
        return survivor.id
    }

    private mutating func deliver(_ storyID: String, newest: Arrival, whole: Bool) {
        for (token, subscriber) in subscribers {
            guard let id = subscriber.id else {
                deliveries.append(Delivery(continuation: subscriber.continuation, arrival: newest))
                continue
            }
            guard resolve(id) == storyID, let story = stories[storyID] else { continue }
            // After a merge the reader has seen one half: the other half follows, then the newest.
            let due = whole ? story.arrivals : [newest]
            for arrival in due where !subscriber.delivered.contains(arrival.sequence) {
                subscribers[token]?.delivered.insert(arrival.sequence)
                deliveries.append(Delivery(continuation: subscriber.continuation, arrival: arrival))
            }
        }
    }

    private mutating func evict(sparing spared: String) {
        guard entryCount > maximumEntries || weight > maximumWeight else { return }
        // A tenth goes at once, so that a full store does not sort its stories for every entry.
        let goal = maximumEntries - maximumEntries / 10
        let weightGoal = maximumWeight - maximumWeight / 10
        let silent = stories.values.filter { $0.id != spared }.sorted { $0.lastSequence < $1.lastSequence }
        for story in silent {
            guard entryCount > goal || weight > weightGoal else { return }
            forget(story)
        }
    }

    private mutating func forget(_ story: Story) {
        stories[story.id] = nil
        entryCount -= story.arrivals.count
        for arrival in story.arrivals {
            storyOfEntry[arrival.entry.id] = nil
            weight -= arrival.entry.weight
        }
        for key in story.keys {
            storyOfKey[key] = nil
            keysOfValue[key.value]?.remove(key)
            if keysOfValue[key.value]?.isEmpty == true { keysOfValue[key.value] = nil }
        }
    }

    private func present(_ story: Story) -> TraceStory {
        var correlation: [String: Set<String>] = [:]
        for key in story.keys { correlation[key.namespace, default: []].insert(key.value) }
        return TraceStory(
            id: story.id, correlation: correlation,
            arrivals: story.arrivals.sorted { ($0.entry.at, $0.sequence) < ($1.entry.at, $1.sequence) })
    }
}
