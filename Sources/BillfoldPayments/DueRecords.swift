import BillfoldStorage

/// What is due, and for whom: rows keep the times that their owners live at, and in a test installation some are ahead of everybody.
struct DueRecords: Sendable {
    /// Everybody's time.
    let now: Timestamp
    /// That of owners who are ahead.
    private let ahead: [String: Timestamp]

    init(_ clock: any WallClock) {
        now = clock.everybodysNow
        ahead = (clock as? SpaceClock)?.ahead(at: now) ?? [:]
    }

    func now(of owner: MerchantID) -> Timestamp { ahead[owner.description] ?? now }

    /// How far each owner is ahead, in microseconds.
    var leads: [String: Int64] { ahead.mapValues { $0.microseconds - now.microseconds } }

    /// The condition on `due_at` and `merchant`. Its first part is a range of the index by time.
    var condition: (sql: String, values: [SQLValue]) {
        guard let furthest = ahead.values.max() else { return ("due_at <= ?", [.integer(now.microseconds)]) }
        let owners = ahead.sorted { $0.key < $1.key }
        let own = owners.map { _ in " OR (merchant = ? AND due_at <= ?)" }.joined()
        return (
            "due_at <= ? AND (due_at <= ?\(own))",
            [.integer(furthest.microseconds), .integer(now.microseconds)]
                + owners.flatMap { [.text($0.key), .integer($0.value.microseconds)] }
        )
    }
}
