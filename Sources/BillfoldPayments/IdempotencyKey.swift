public import BillfoldStorage
import Crypto

/// A caller's name for one intent: the same key means the same intent, however often it is sent.
public struct IdempotencyKey: Sendable, Hashable {
    /// The authenticated caller, never a value that the caller can choose.
    public let caller: String
    /// The operation's route template, for example `POST /v1/orders`.
    public let operation: String
    public let key: String

    /// Refuses keys that are empty, longer than 255 bytes, or hold anything but printable ASCII.
    public init(caller: String, operation: String, key: String) throws(PaymentsError) {
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw PaymentsError(
                code: .malformedIdentifier, reason: "an idempotency key is 1 to 255 printable ASCII characters without spaces")
        }
        self.caller = caller
        self.operation = operation
        self.key = key
    }
}

/// SHA-256 over what has meaning in a request, so that a reused key with other content is noticed.
public struct RequestFingerprint: Sendable, Hashable {
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - parts: The operation and the meaningful fields in a fixed order. Each part enters with its length, so that moving a byte from
    ///     one field to the next changes the fingerprint.
    ///   - texts: Further fields, which enter behind the parts in the same way, as UTF-8.
    public init(parts: [[UInt8]], texts: [String] = []) {
        var text: [UInt8] = []
        text.reserveCapacity(parts.reduce(0) { $0 + $1.count + 8 } + texts.reduce(0) { $0 + $1.utf8.count + 8 })
        func append(_ part: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt64(part.count).bigEndian) { text.append(contentsOf: $0) }
            text.append(contentsOf: part)
        }
        for part in parts { append(part) }
        for part in texts { append(part.utf8) }
        bytes = SHA256.hash(data: text).withUnsafeBytes { Array($0) }
    }

    /// Fields that all are texts: the same as the parts that are their UTF-8.
    public init(texts: [String]) { self.init(parts: [], texts: texts) }

    init(stored: [UInt8]) { bytes = stored }
}

/// What is stored under an idempotency key.
public enum IdempotencyOutcome: Sendable, Hashable {
    /// The key is new and now belongs to this transaction: do the work.
    case unseen
    /// Done before: the typed result, as it was stored. Sign or render it again; do nothing else.
    case finished(result: [UInt8])
    /// Another request with this key has begun and not ended (409, retry later). `subject` is what it works on, for protocols
    /// where a repeated request reports progress.
    case running(subject: TimeOrderedID?)
    /// The key was used for a different request (422).
    case conflict

    /// What the key's request has made, or works on: the id that is stored as its answer, or as its subject.
    public var object: TimeOrderedID? {
        switch self {
        case .finished(let result): KeptAnswer(stored: result)?.object
        case .running(let subject): subject
        case .unseen, .conflict: nil
        }
    }
}
