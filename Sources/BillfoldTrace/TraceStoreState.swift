/// What a ``TraceStore`` holds, as a value: every change is a function of the state alone.
struct TraceStoreState {
    typealias Arrival = TraceStory.Arrival

    struct Key: Hashable {
        var namespace: String
        var value: String
    }

    struct Story {
        var id: String
        /// Each once.
        var keys: [Key] = []
        /// In the order of arrival.
        var entries: [PackedEntry] = []
        var lastSequence: UInt64 = 0

        mutating func add(_ entry: PackedEntry) {
            entries.append(entry)
            lastSequence = entry.sequence
        }

        /// A tenth goes at once, so that a full story does not move all its entries for every one.
        mutating func removeOldest(above maximum: Int) -> [PackedEntry] {
            guard entries.count > maximum else { return [] }
            // An array of its own: a slice would share the story's, which the removal then had to copy whole.
            let gone = Array(entries.prefix(entries.count - maximum + maximum / 10))
            entries.removeFirst(gone.count)
            return gone
        }

        /// As readers see it. Outside of the store's lock, for every entry is read anew.
        var presented: TraceStory {
            var correlation: [String: Set<String>] = [:]
            for key in keys { correlation[key.namespace, default: []].insert(key.value) }
            return TraceStory(
                id: id, correlation: correlation,
                arrivals: entries.map(\.arrival).sorted { ($0.entry.at, $0.sequence) < ($1.entry.at, $1.sequence) })
        }
    }

    struct Subscriber {
        var id: String?
        var continuation: AsyncStream<Arrival>.Continuation
        /// Sequences the reader has, so that a merge of two stories delivers the rest and nothing twice.
        var delivered: Set<UInt64> = []
    }

    let maximumEntries: Int
    let maximumEntriesPerStory: Int
    let maximumWeight: Int
    /// What waits to be grouped counts among the entries and their weight.
    private(set) var entryCount = 0
    private var weight = 0
    private var ungrouped: [PackedEntry] = []
    private var nextSequence: UInt64 = 1
    private var nextToken: UInt64 = 1
    private var stories: [String: Story] = [:]
    private var storyOfKey: [Key: String] = [:]
    private var storyOfEntry: [String: String] = [:]
    /// The key that a value was first seen under, and what other namespaces it came under, which is rare.
    private var keyOfValue: [String: Key] = [:]
    private var otherKeysOfValue: [String: Set<Key>] = [:]
    private var subscribers: [UInt64: Subscriber] = [:]

    init(maximumEntries: Int, maximumEntriesPerStory: Int, maximumWeight: Int) {
        self.maximumEntries = maximumEntries
        self.maximumEntriesPerStory = maximumEntriesPerStory
        self.maximumWeight = maximumWeight
    }

    /// Keeps entries for when somebody looks. Returns whether somebody does.
    mutating func hold(_ entries: [PackedEntry]) -> Bool {
        ungrouped += entries
        entryCount += entries.count
        for entry in entries { weight += entry.weight }
        guard subscribers.isEmpty else { return true }
        evict(sparing: nil)
        return false
    }

    /// How many entries wait to be grouped.
    var waitingCount: Int { ungrouped.count }

    /// Groups the oldest of what waits.
    mutating func group(atMost count: Int) {
        let next = Array(ungrouped.prefix(count))
        ungrouped.removeFirst(next.count)
        for entry in next {
            entryCount -= 1
            weight -= entry.weight
            take(entry.entry, entry)
        }
    }

    /// Takes an entry, unless its id is known.
    @discardableResult
    mutating func take(_ entry: TraceEntry, _ packed: PackedEntry) -> Bool {
        guard storyOfEntry[entry.id] == nil else { return false }
        var linked: [String] = []
        var unseen: [Key] = []
        for (namespace, value) in entry.correlation {
            let key = Key(namespace: namespace, value: value)
            if let story = storyOfKey[key] {
                if !linked.contains(story) { linked.append(story) }
            } else {
                unseen.append(key)
            }
        }
        let storyID = merge(linked) ?? entry.id
        var packed = packed
        packed.sequence = nextSequence
        nextSequence += 1
        // In place: a copy would copy every entry of the story. A key that was seen belongs to the story since then.
        stories[storyID, default: Story(id: storyID)].add(packed)
        if !unseen.isEmpty {
            stories[storyID]?.keys += unseen
            for key in unseen { index(key, of: storyID) }
        }
        storyOfEntry[entry.id] = storyID
        entryCount += 1
        weight += packed.weight
        for oldest in stories[storyID]?.removeOldest(above: maximumEntriesPerStory) ?? [] {
            storyOfEntry[oldest.id] = nil
            entryCount -= 1
            weight -= oldest.weight
        }
        deliver(storyID, newest: Arrival(sequence: packed.sequence, entry: entry), whole: linked.count > 1)
        evict(sparing: storyID)
        return true
    }

    func story(_ id: String) -> Story? { resolve(id).flatMap { stories[$0] } }

    func recentStories(limit: Int) -> [Story] {
        Array(stories.values.sorted { $0.lastSequence > $1.lastSequence }.prefix(max(0, limit)))
    }

    mutating func subscribe(
        to id: String?, after: UInt64?, atMost backlog: Int, continuation: AsyncStream<Arrival>.Continuation
    ) -> UInt64 {
        let token = nextToken
        nextToken += 1
        let held = id.map { resolve($0).flatMap { stories[$0] }.map(\.entries) ?? [] } ?? stories.values.flatMap(\.entries)
        // Whoever names no starting point has just read the story itself.
        if let after {
            let missed = held.filter { $0.sequence > after }.sorted { $0.sequence < $1.sequence }
            for entry in missed.suffix(backlog) { continuation.yield(entry.arrival) }
        }
        subscribers[token] = Subscriber(id: id, continuation: continuation, delivered: id == nil ? [] : Set(held.map(\.sequence)))
        return token
    }

    mutating func unsubscribe(_ token: UInt64) { subscribers[token] = nil }

    // MARK: Grouping

    private func resolve(_ id: String) -> String? {
        if stories[id] != nil { return id }
        if let story = storyOfEntry[id] { return story }
        if let colon = id.firstIndex(of: ":") {
            let key = Key(namespace: String(id[..<colon]), value: String(id[id.index(after: colon)...]))
            if let story = storyOfKey[key] { return story }
        }
        // One value under several namespaces may lead to several stories: the one that moved last is meant.
        let candidates = Set(([keyOfValue[id]].compactMap(\.self) + (otherKeysOfValue[id] ?? [])).compactMap { storyOfKey[$0] })
        return candidates.max { (stories[$0]?.lastSequence ?? 0) < (stories[$1]?.lastSequence ?? 0) }
    }

    private mutating func index(_ key: Key, of story: String) {
        storyOfKey[key] = story
        guard let first = keyOfValue[key.value] else {
            keyOfValue[key.value] = key
            return
        }
        if first != key { otherKeysOfValue[key.value, default: []].insert(key) }
    }

    /// Joins stories into the one that began first, and returns its id.
    private mutating func merge(_ ids: [String]) -> String? {
        if ids.count <= 1 { return ids.first { stories[$0] != nil } }
        let found = ids.compactMap { stories[$0] }.sorted {
            ($0.entries.first?.sequence ?? 0) < ($1.entries.first?.sequence ?? 0)
        }
        guard var survivor = found.first else { return nil }
        for absorbed in found.dropFirst() {
            stories[absorbed.id] = nil
            // No key leads to two stories.
            survivor.keys += absorbed.keys
            survivor.entries = (survivor.entries + absorbed.entries).sorted { $0.sequence < $1.sequence }
            survivor.lastSequence = max(survivor.lastSequence, absorbed.lastSequence)
            for key in absorbed.keys { storyOfKey[key] = survivor.id }
            for entry in absorbed.entries { storyOfEntry[entry.id] = survivor.id }
        }
        stories[survivor.id] = survivor
        return survivor.id
    }

    /// Under the store's lock, so that readers get what arrives in its order.
    private mutating func deliver(_ storyID: String, newest: Arrival, whole: Bool) {
        for (token, subscriber) in subscribers {
            guard let id = subscriber.id else {
                subscriber.continuation.yield(newest)
                continue
            }
            guard resolve(id) == storyID, let story = stories[storyID] else { continue }
            // After a merge the reader has seen one half: the other half follows, then the newest.
            let due = whole ? story.entries.map(\.arrival) : [newest]
            for arrival in due where !subscriber.delivered.contains(arrival.sequence) {
                subscribers[token]?.delivered.insert(arrival.sequence)
                subscriber.continuation.yield(arrival)
            }
        }
    }

    /// A tenth goes at once, so that a full store does not sort its stories for every entry. Entries that were grouped go first, being older; of
    /// those that wait none, while some are being grouped, which are older still.
    private mutating func evict(sparing spared: String?) {
        guard entryCount > maximumEntries || weight > maximumWeight else { return }
        let (goal, weightGoal) = (maximumEntries - maximumEntries / 10, maximumWeight - maximumWeight / 10)
        let silent = stories.values.filter { $0.id != spared }.sorted { $0.lastSequence < $1.lastSequence }
        for story in silent {
            guard entryCount > goal || weight > weightGoal else { return }
            forget(story)
        }
        guard spared == nil else { return }
        var gone = 0
        for entry in ungrouped {
            guard entryCount > goal || weight > weightGoal else { break }
            (entryCount, weight, gone) = (entryCount - 1, weight - entry.weight, gone + 1)
        }
        ungrouped.removeFirst(gone)
    }

    private mutating func forget(_ story: Story) {
        stories[story.id] = nil
        entryCount -= story.entries.count
        for entry in story.entries {
            storyOfEntry[entry.id] = nil
            weight -= entry.weight
        }
        for key in story.keys {
            storyOfKey[key] = nil
            if keyOfValue[key.value] == key {
                keyOfValue[key.value] = otherKeysOfValue[key.value]?.popFirst()
            } else {
                otherKeysOfValue[key.value]?.remove(key)
            }
            if otherKeysOfValue[key.value]?.isEmpty == true { otherKeysOfValue[key.value] = nil }
        }
    }
}
