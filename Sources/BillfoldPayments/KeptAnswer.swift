public import BillfoldStorage

/// What is stored of a request that made something: the id of what it made, and the answer that its caller was given first.
public struct KeptAnswer: Sendable, Hashable {
    /// What the request made.
    public var object: TimeOrderedID
    /// The first answer's bytes; `nil` until one was given.
    public var answer: [UInt8]?

    public init(_ object: TimeOrderedID, answer: [UInt8]? = nil) {
        self.object = object
        self.answer = answer
    }

    /// Reads what lies under a key; `nil` for anything else, such as a refusal.
    public init?(stored: [UInt8]) {
        guard stored.count == Self.idLength || stored.count > Self.idLength && stored[Self.idLength] == Self.separator,
            let object = try? TimeOrderedID(bytes: stored.prefix(Self.idLength))
        else { return nil }
        self.init(object, answer: stored.count > Self.idLength ? Array(stored.dropFirst(Self.idLength + 1)) : nil)
    }

    /// As it lies under its key: the id, and behind a line's end the answer.
    public var stored: [UInt8] { object.bytes + (answer.map { [Self.separator] + $0 } ?? []) }

    private static let idLength = 16
    private static let separator: UInt8 = 0x0A
}

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
