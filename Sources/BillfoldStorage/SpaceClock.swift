import Synchronization

/// Somebody's own part of a test installation: its owners live ahead of everybody's time, by as much as the holder of its keys wants.
package struct Space: Sendable, Hashable, Codable {
    /// Says in lists whose it is.
    package var name: String
    /// Hashes of the keys whose holders may move its time.
    package var keys: [String]
    /// Owners of records, as servers and played parties name them.
    package var owners: [String]
    /// How far it is ahead of everybody, in microseconds; never less than before.
    package var offsetMicroseconds: Int64 = 0

    package init(name: String, keys: [String], owners: [String]) { (self.name, self.keys, self.owners) = (name, keys, owners) }
}

/// Keeps the spaces of a test installation, for every process of it.
package protocol SpaceBook: Sendable {
    /// The spaces as every process sees them now.
    func read() async throws -> [Space]
    /// Replaces them by what the closure makes of them; nobody else changes them in between. The closure may run more than once.
    func change(_ change: @escaping @Sendable (inout [Space]) throws -> Void) async throws -> [Space]
}

/// The time of an installation in which owners may be ahead of everybody. In test mode only: whoever makes one sees to that.
///
/// It is everybody's time, which may be moved too, and for a task that works for an owner (``OwnTime``) the owner's. What is kept of an
/// owner, deadlines among it, is written in the owner's time and does not change when that moves: it comes due earlier. An owner is never
/// behind, so what is due for everybody is due for everyone.
package final class SpaceClock: WallClock {
    private struct State {
        var spaces: [Space] = []
        /// Of owners who are ahead, in microseconds.
        var ahead: [String: Int64] = [:]
    }

    private let base: any WallClock
    private let book: any SpaceBook
    private let state = Mutex(State())

    package init(base: any WallClock, book: any SpaceBook) async throws {
        self.base = base
        self.book = book
        try await refresh()
    }

    package func now() -> Timestamp {
        let now = base.now()
        guard let owner = OwnTime.owner, let ahead = state.withLock({ $0.ahead[owner] }) else { return now }
        return Self.moved(now, by: ahead)
    }

    /// Owners who are ahead, and the time that each lives at when everybody lives at `now`.
    package func ahead(at now: Timestamp) -> [String: Timestamp] {
        state.withLock { $0.ahead }.mapValues { Self.moved(now, by: $0) }
    }

    package var spaces: [Space] { state.withLock { $0.spaces } }

    /// The space that an owner lives in; `nil` for whoever lives with everybody.
    package func space(of owner: String) -> Space? {
        spaces.first { $0.owners.contains { $0.utf8.elementsEqual(owner.utf8) } }
    }

    /// Reads the spaces that there are now.
    package func refresh() async throws { keep(try await book.read()) }

    /// Changes the spaces, for every process. What the closure throws leaves them as they were.
    package func change(_ change: @escaping @Sendable (inout [Space]) throws -> Void) async throws {
        keep(try await book.change(change))
    }

    private func keep(_ spaces: [Space]) {
        var ahead: [String: Int64] = [:]
        for space in spaces where space.offsetMicroseconds > 0 {
            for owner in space.owners { ahead[owner] = space.offsetMicroseconds }
        }
        let state = State(spaces: spaces, ahead: ahead)
        self.state.withLock { $0 = state }
    }

    private static func moved(_ time: Timestamp, by ahead: Int64) -> Timestamp {
        let (sum, overflow) = time.microseconds.addingReportingOverflow(ahead)
        return Timestamp(microseconds: overflow ? .max : sum)
    }
}
