/// The connections of a listener, whose they are, and which of them is ended when there are too many: the one that has been idle longest
/// of whoever has most. Every step takes the same time, however many there are.
struct ConnectionLedger {
    /// A connection that was taken in, and the one that has to end for it.
    struct Admission: Equatable {
        var slot: Int
        var ending: Int?
    }

    private struct Connection {
        var caller: Int
        var isIdle: Bool
        /// Whether another one was taken in for it.
        var isEnding = false
    }

    private struct Caller {
        var name: String
        var isExempt: Bool
        var connections = 0
        /// The longest idle first.
        var idle = SlotLists.List()
        /// The list that the caller is in; none while nothing of it is idle.
        var rank: Int?
    }

    private let maximum: Int
    private let maximumPerCaller: Int
    private var connections: [Connection] = []
    private var freeConnections: [Int] = []
    private var callers: [Caller] = []
    private var freeCallers: [Int] = []
    private var places: [String: Int] = [:]
    private var idleLists = SlotLists()
    private var rankLists = SlotLists()
    /// Callers with something idle, by how many connections they have; at 0 those that have a budget of their own.
    private var ranks: [SlotLists.List] = [SlotLists.List()]
    private var highestRank = 0
    private(set) var count = 0

    init(maximum: Int, maximumPerCaller: Int) {
        self.maximum = max(1, maximum)
        self.maximumPerCaller = max(1, maximumPerCaller)
    }

    /// Takes a connection in, which is idle until it has a request.
    ///
    /// The connection that has to end counts until it is removed.
    /// - Parameter isExempt: Whether the caller may have as many as the listener takes, and loses one only where nobody else does.
    /// - Returns: `nil` where nothing is idle that could end for it.
    mutating func admit(_ name: String, isExempt: Bool) -> Admission? {
        let known = places[name]
        var ending: Int?
        if let known, !isExempt, callers[known].connections >= maximumPerCaller {
            guard let own = callers[known].idle.first else { return nil }
            ending = own
        } else if count >= maximum {
            guard let greediest = longestIdleOfTheGreediest() else { return nil }
            ending = greediest
        }
        if let ending {
            setIdle(ending, false)
            connections[ending].isEnding = true
        }
        let caller = known ?? makeCaller(name, isExempt)
        let slot = freeConnections.popLast() ?? connections.count
        let connection = Connection(caller: caller, isIdle: false)
        if slot == connections.count { connections.append(connection) } else { connections[slot] = connection }
        count += 1
        callers[caller].connections += 1
        setIdle(slot, true)
        return Admission(slot: slot, ending: ending)
    }

    /// Says whether a connection has no request in flight. One that ends for another is never chosen again.
    mutating func setIdle(_ slot: Int, _ isIdle: Bool) {
        guard connections[slot].isIdle != isIdle, !connections[slot].isEnding else { return }
        connections[slot].isIdle = isIdle
        let caller = connections[slot].caller
        if isIdle {
            idleLists.append(slot, to: &callers[caller].idle)
        } else {
            idleLists.remove(slot, from: &callers[caller].idle)
        }
        rank(caller)
    }

    /// Forgets a connection that has ended.
    mutating func remove(_ slot: Int) {
        setIdle(slot, false)
        let caller = connections[slot].caller
        freeConnections.append(slot)
        count -= 1
        callers[caller].connections -= 1
        rank(caller)
        guard callers[caller].connections == 0 else { return }
        places[callers[caller].name] = nil
        freeCallers.append(caller)
    }

    private mutating func makeCaller(_ name: String, _ isExempt: Bool) -> Int {
        let slot = freeCallers.popLast() ?? callers.count
        let caller = Caller(name: name, isExempt: isExempt)
        if slot == callers.count { callers.append(caller) } else { callers[slot] = caller }
        places[name] = slot
        return slot
    }

    /// Puts a caller where the number of its connections belongs.
    private mutating func rank(_ caller: Int) {
        let due: Int? = callers[caller].idle.isEmpty ? nil : callers[caller].isExempt ? 0 : callers[caller].connections
        guard due != callers[caller].rank else { return }
        if let rank = callers[caller].rank { rankLists.remove(caller, from: &ranks[rank]) }
        if let due {
            while ranks.count <= due { ranks.append(SlotLists.List()) }
            rankLists.append(caller, to: &ranks[due])
            highestRank = max(highestRank, due)
        }
        callers[caller].rank = due
    }

    private mutating func longestIdleOfTheGreediest() -> Int? {
        while highestRank > 0, ranks[highestRank].isEmpty { highestRank -= 1 }
        return ranks[highestRank].first.flatMap { callers[$0].idle.first }
    }
}
