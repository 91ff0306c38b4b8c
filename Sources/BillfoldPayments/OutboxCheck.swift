public import BillfoldStorage

/// Looks at the rows of the outbox and of deadlines, and asks their server whether what they are about exists.
public enum OutboxCheck {
    static let states: Set<String> = ["ready", "done", "dead", "withdrawn", "discarded"]

    /// A message as it is stored, without its body.
    public struct Message: Sendable, Hashable {
        public var merchant: MerchantID
        public var id: TimeOrderedID
        public var destination: String
        public var kind: String
        public var subject: TimeOrderedID
        public var state: String
        public var createdAt: Timestamp
    }

    /// - Parameters:
    ///   - tx: The read in which the messages, and the audit rows of discarded ones, are looked up.
    ///   - findings: Gets unreadable rows, unknown states, discards without an audit row, and what `problem` tells.
    ///   - problem: What is wrong with a message's kind or subject; `nil` where nothing is.
    public static func run(
        in tx: any Transaction, _ findings: StoreFindings, problem: (Message) throws -> String?
    ) throws {
        try TableRecords.each(
            "outbox", key: ["merchant", "id"], columns: ["destination", "kind", "subject", "state", "attempt", "created_at"], in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(2))
            let message = try findings.read("outbox", key: key) {
                Message(
                    merchant: try MerchantID(row.text(0)), id: try row.timeOrderedID(1), destination: try row.text(2),
                    kind: try row.text(3), subject: try row.timeOrderedID(4), state: try row.text(5), createdAt: try row.timestamp(7))
            }
            guard let message else { return }
            findings.demand(
                states.contains(message.state), table: "outbox", key: key, expected: "a state of a message", found: message.state)
            if let wrong = try problem(message) {
                findings.add(.unexpected, table: "outbox", key: key, expected: wrong, found: "\(message.kind) about \(message.subject)")
            }
            if message.state == "discarded" {
                let told: [(column: String, value: SQLValue)] = [
                    ("merchant", message.merchant.sql), ("chain", "operators"), ("action", "outbox.discard"),
                    ("object", .text(message.id.description)),
                ]
                if try !TableRecords.has("audit_rows", told, in: tx) {
                    findings.add(
                        .missing, table: "audit_rows", key: "\(message.merchant)/operators", expected: "outbox.discard of \(message.id)",
                        found: "no row")
                }
            }
        }
    }

    /// - Parameters:
    ///   - tx: The read in which the deadlines are looked up.
    ///   - findings: Gets unreadable rows, and what `problem` tells.
    ///   - problem: As for messages.
    public static func deadlines(
        in tx: any Transaction, _ findings: StoreFindings, problem: (Deadline) throws -> String?
    ) throws {
        try TableRecords.each("deadlines", key: ["merchant", "subject", "kind"], columns: ["due_at", "attempt"], in: tx) { row in
            let key = StoreFindings.key(row.values.prefix(3))
            let deadline = try findings.read("deadlines", key: key) {
                Deadline(
                    merchant: try MerchantID(row.text(0)), subject: try row.timeOrderedID(1), kind: try row.text(2),
                    dueAt: try row.timestamp(3), attempt: try row.integer(4))
            }
            guard let deadline else { return }
            if let wrong = try problem(deadline) {
                findings.add(.unexpected, table: "deadlines", key: key, expected: wrong, found: "\(deadline.kind) of \(deadline.subject)")
            }
        }
    }
}
