package import BillfoldStorage
import Synchronization

/// The spaces of a test installation, in memory.
package final class MemorySpaces: SpaceBook {
    private let held: Mutex<[Space]>

    /// - Parameter owners: Each has a space of its name, and is at everybody's time.
    package init(_ owners: [String] = []) {
        held = Mutex(owners.map { Space(name: $0, keys: [], owners: [$0]) })
    }

    package func read() async throws -> [Space] { held.withLock { $0 } }

    package func change(_ change: @escaping @Sendable (inout [Space]) throws -> Void) async throws -> [Space] {
        try held.withLock { held in
            var changed = held
            try change(&changed)
            held = changed
            return changed
        }
    }
}

extension SpaceClock {
    /// Moves the space of a name on, as its holder does.
    package func advance(_ name: String, by duration: Duration) async throws {
        try await change { spaces in
            for place in spaces.indices where spaces[place].name == name {
                spaces[place].offsetMicroseconds =
                    Timestamp(microseconds: spaces[place].offsetMicroseconds).advanced(by: duration).microseconds
            }
        }
    }
}
