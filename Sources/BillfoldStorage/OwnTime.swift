import Synchronization

/// For whom a task works. In a test installation some owners are ahead of everybody's time (``SpaceClock``): what is done for one of them
/// is done at the owner's time. Where no clock tells owners apart, this changes nothing.
package enum OwnTime {
    /// Shared by a request and the tasks that it starts, so that whoever learns whose the request is says so for all of them.
    private final class Visit: Sendable {
        private let named: Mutex<String?>

        init(_ owner: String?) { named = Mutex(owner) }

        var owner: String? {
            get { named.withLock { $0 } }
            set { named.withLock { $0 = newValue } }
        }
    }

    @TaskLocal private static var visit: Visit?

    /// Whose time the task lives at; `nil` at everybody's.
    static var owner: String? { visit?.owner }

    /// Runs a request, at everybody's time until ``enter(_:)`` says whose it is.
    package static func visiting<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $visit.withValue(Visit(nil), operation: body, isolation: isolation)
    }

    /// Has the rest of the request live at its owner's time. Call it where a credential was found good, or an object was found: never by
    /// what a stranger merely says.
    package static func enter(_ owner: String) { visit?.owner = owner }

    /// Runs what a worker does for an owner at the owner's time.
    package static func of<Result>(
        _ owner: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $visit.withValue(Visit(owner), operation: body, isolation: isolation)
    }

    /// Whether somebody may be told whose the request is: where not, nobody need look for that.
    package static var isVisited: Bool { visit != nil }

    /// What a store runs on a thread of its own, at the time of whoever asks for it.
    package static func carried<Result>(
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) -> @Sendable (any Transaction) throws -> Result {
        guard let visit else { return body }
        return { transaction in try $visit.withValue(visit) { try body(transaction) } }
    }

    fileprivate static func read<Result>(_ owner: String?, _ body: () -> Result) -> Result {
        $visit.withValue(owner.map { Visit($0) }, operation: body)
    }
}

extension WallClock {
    /// The time that others compare with their own, and that stories are ordered by: that of nobody in particular.
    package var everybodysNow: Timestamp { OwnTime.owner == nil ? now() : OwnTime.read(nil) { now() } }

    /// The time that an owner lives at.
    package func now(of owner: String) -> Timestamp { OwnTime.read(owner) { now() } }
}
