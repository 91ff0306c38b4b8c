/// What is due, and for whom: rows keep the times that their owners live at, and in a test installation some are ahead of everybody.
package struct DueTimes: Sendable {
    /// Everybody's time.
    package let now: Timestamp
    /// That of owners who are ahead.
    private let ahead: [String: Timestamp]

    package init(_ clock: any WallClock) {
        now = clock.everybodysNow
        ahead = (clock as? SpaceClock)?.ahead(at: now) ?? [:]
    }

    package func now(of owner: String) -> Timestamp { ahead[owner] ?? now }

    /// How far each owner is ahead, in microseconds.
    package var leads: [String: Int64] { ahead.mapValues { $0.microseconds - now.microseconds } }

    /// The condition on `due_at`, which an owner's own time meets earlier. Its first part is a range of an index by time.
    ///
    /// - Parameter owner: The column of the owner.
    package func condition(owner: String) -> (sql: String, values: [SQLValue]) {
        guard let furthest = ahead.values.max() else { return ("due_at <= ?", [.integer(now.microseconds)]) }
        let owners = ahead.sorted { $0.key < $1.key }
        let own = owners.map { _ in " OR (\(owner) = ? AND due_at <= ?)" }.joined()
        return (
            "due_at <= ? AND (due_at <= ?\(own))",
            [.integer(furthest.microseconds), .integer(now.microseconds)]
                + owners.flatMap { [.text($0.key), .integer($0.value.microseconds)] }
        )
    }
}
