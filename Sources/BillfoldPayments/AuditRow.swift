public import BillfoldStorage
public import Crypto

/// Who did what to which object, and with what result: one link of a hash chain.
public struct AuditRow: Sendable, Hashable {
    /// Which chain: a payment's own, or one of the installation such as `operators`.
    public var chain: String
    /// Counts from 1 within the chain, without gaps.
    public var sequence: Int64
    public var at: Timestamp
    /// The authenticated caller, operator, or `system`.
    public var actor: String
    public var action: String
    public var object: String
    public var result: String
    public var previous: [UInt8]
    public var hash: [UInt8]

    /// One line for people. Control characters and backslashes are escaped, so a name cannot forge a line.
    public var line: String {
        let fields = [chain, String(sequence), String(at.microseconds), actor, action, object, result]
        return fields.map(Self.escaped).joined(separator: "\t")
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
    }
}

/// The end of a chain: what the next row must follow.
public struct AuditHead: Sendable, Hashable {
    public var sequence: Int64
    public var hash: [UInt8]

    public init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    public static let start = Self(sequence: 0, hash: [])
}

/// Links and verifies audit rows.
///
/// Each row's hash is HMAC-SHA256 over all its fields and the hash before it. The key lies outside the database: someone who
/// can write rows cannot compute the hashes of a changed chain. Fields enter with their lengths, so no two different rows
/// have the same bytes, whatever line breaks or separators they hold.
public struct AuditChain: Sendable {
    private let key: HashingKey

    public init(key: SymmetricKey) { self.key = HashingKey(key) }

    /// Makes the row that follows `head`, with its hash. Nothing is stored.
    public func link(
        chain: String, after head: AuditHead, at: Timestamp, actor: String, action: String, object: String, result: String
    ) -> AuditRow {
        var row = AuditRow(
            chain: chain, sequence: head.sequence + 1, at: at, actor: actor, action: action, object: object, result: result,
            previous: head.hash, hash: [])
        row.hash = hash(of: row)
        return row
    }

    /// Links a row behind the head that its object holds, and moves the head to it.
    package func extend(
        _ chain: String, from head: inout AuditHead, at: Timestamp, actor: String, action: String, object: String, result: String
    ) -> AuditRow {
        let row = link(chain: chain, after: head, at: at, actor: actor, action: action, object: object, result: result)
        head = AuditHead(sequence: row.sequence, hash: row.hash)
        return row
    }

    func hash(of row: AuditRow) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192)
        func add(_ field: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt32(field.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: field)
        }
        func add(_ number: Int64) { withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) } }
        add(row.chain.utf8)
        add(row.sequence)
        add(row.at.microseconds)
        add(row.actor.utf8)
        add(row.action.utf8)
        add(row.object.utf8)
        add(row.result.utf8)
        add(row.previous)
        return key.code(of: bytes)
    }

    /// What verification found.
    public enum Verdict: Sendable, Hashable {
        /// Every row is as it was written. Compare `head` with a copy kept elsewhere: rows cut off at the end leave no trace
        /// inside the chain.
        case intact(head: AuditHead)
        /// The first row whose content, place or predecessor is not what was written.
        case broken(sequence: Int64)
    }

    /// Walks the rows in order and names the first that was changed, added, moved or left out.
    public func verify(_ rows: [AuditRow]) -> Verdict {
        var head = AuditHead.start
        for row in rows {
            guard row.sequence == head.sequence + 1, row.previous == head.hash, row.hash == hash(of: row) else {
                return .broken(sequence: head.sequence + 1)
            }
            head = AuditHead(sequence: row.sequence, hash: row.hash)
        }
        return .intact(head: head)
    }
}
