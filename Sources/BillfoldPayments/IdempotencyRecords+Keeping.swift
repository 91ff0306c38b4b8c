public import BillfoldStorage

extension IdempotencyRecords {
    /// Keeps the answer to a request whose key has the id of what it made. The first stays, and is returned: it is everybody's.
    ///
    /// - Parameters:
    ///   - kept: The id as it was stored when the request was decided, with the answer that is about to be given.
    ///   - key: The request's.
    ///   - tx: The write that keeps it. The answer is given once that is committed.
    public static func keep(_ kept: KeptAnswer, under key: IdempotencyKey, in tx: any Transaction) throws -> [UInt8]? {
        let changed = try tx.execute(
            "UPDATE idempotency_keys SET result = ? WHERE caller = ? AND operation = ? AND key = ? AND result = ?",
            [.blob(kept.stored), .text(key.caller), .text(key.operation), .text(key.key), kept.object.sqlValue])
        if changed == 1 { return kept.answer }
        return try result(key, in: tx).flatMap { KeptAnswer(stored: $0)?.answer } ?? kept.answer
    }
}
