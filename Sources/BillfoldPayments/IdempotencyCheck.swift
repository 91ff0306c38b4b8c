public import BillfoldStorage

/// Looks at every idempotency key, and asks its server whether the answer that is stored under it can be true.
public enum IdempotencyCheck {
    /// What lies under one key.
    public struct Stored: Sendable, Hashable {
        public var caller: String
        public var operation: String
        public var key: String
        public var fingerprint: [UInt8]
        public var subject: TimeOrderedID?
        /// `nil` while the request is being worked on.
        public var result: [UInt8]?
        public var createdAt: Timestamp
    }

    /// - Parameters:
    ///   - tx: The read in which the whole check is done, so that all rows are of one state.
    ///   - findings: Takes what is wrong, rows that cannot be read among it.
    ///   - problem: What an answer would have to be; `nil` where nothing is wrong with it.
    public static func run(
        in tx: any Transaction, _ findings: StoreFindings, problem: (Stored) throws -> String?
    ) throws {
        try TableRecords.each(
            "idempotency_keys", key: ["caller", "operation", "key"], columns: ["fingerprint", "subject", "result", "created_at"], in: tx
        ) { row in
            let key = StoreFindings.key(row.values.prefix(3))
            let stored = try findings.read("idempotency_keys", key: key) {
                Stored(
                    caller: try row.text(0), operation: try row.text(1), key: try row.text(2), fingerprint: try row.blob(3),
                    subject: try row.optionalBlob(4).map { try TimeOrderedID(bytes: $0) }, result: try row.optionalBlob(5),
                    createdAt: try row.timestamp(6))
            }
            guard let stored else { return }
            findings.demand(
                stored.fingerprint.count == 32, table: "idempotency_keys", key: key, expected: "a fingerprint of 32 bytes",
                found: "\(stored.fingerprint.count)")
            if let wrong = try findings.read("idempotency_keys", key: key, { try problem(stored) }) ?? nil {
                findings.add(
                    .differs, table: "idempotency_keys", key: key, expected: wrong,
                    found: stored.result.map { $0.count == 16 ? StoreFindings.hex($0) : String(decoding: $0.prefix(200), as: UTF8.self) }
                        ?? "no answer yet")
            }
        }
    }
}
