public import BillfoldStorage

/// One place where a store's rows do not fit each other.
public struct StoreFinding: Sendable, Hashable {
    /// What does not fit. Stable; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The row does not read back: an unknown state, a malformed id, an amount that is none.
        public static let unreadable = Self("row-unreadable")
        /// Other rows prove that there must be such a row.
        public static let missing = Self("row-missing")
        /// No other row accounts for the row.
        public static let unexpected = Self("row-unexpected")
        /// A value is not what other rows make of it.
        public static let differs = Self("value-differs")
        /// A row of an audit chain was changed, added, moved or left out.
        public static let chainBroken = Self("chain-broken")
    }

    public var code: Code
    public var table: String
    /// The row's primary key, its parts separated by slashes, bytes in hexadecimal digits.
    public var key: String
    public var expected: String
    public var found: String

    public init(_ code: Code, table: String, key: String, expected: String, found: String) {
        self.code = code
        self.table = table
        self.key = key
        self.expected = expected
        self.found = found
    }
}

/// What a check has found. A class, for it is filled from many places within one read.
public final class StoreFindings {
    /// Most findings that are kept; the others are only counted.
    public static let limit = 1_000

    public private(set) var list: [StoreFinding] = []
    public private(set) var count = 0

    public init() {}

    /// Counts a finding, and keeps it while there are fewer than ``limit``.
    public func add(_ code: StoreFinding.Code, table: String, key: String, expected: String, found: String) {
        count += 1
        if list.count < Self.limit { list.append(StoreFinding(code, table: table, key: key, expected: expected, found: found)) }
    }

    /// Compares texts byte by byte.
    public func compare(_ table: String, key: String, column: String, expected: String, found: String) {
        guard !expected.utf8.elementsEqual(found.utf8) else { return }
        add(.differs, table: table, key: key, expected: "\(column) \(expected)", found: found)
    }

    /// Adds a finding where the numbers are not the same.
    public func compare(_ table: String, key: String, column: String, expected: Int64, found: Int64) {
        guard expected != found else { return }
        add(.differs, table: table, key: key, expected: "\(column) \(expected)", found: "\(found)")
    }

    /// Adds a finding, in hexadecimal digits, where the bytes are not the same.
    public func compare(_ table: String, key: String, column: String, expected: [UInt8], found: [UInt8]) {
        guard expected != found else { return }
        add(.differs, table: table, key: key, expected: "\(column) \(Self.hex(expected))", found: Self.hex(found))
    }

    /// Demands something of a row.
    public func demand(_ holds: Bool, table: String, key: String, expected: String, found: @autoclosure () -> String) {
        if !holds { add(.differs, table: table, key: key, expected: expected, found: found()) }
    }

    /// Reads a row; one that does not read back is a finding, and `nil`. What the store itself refuses is thrown.
    public func read<Value>(_ table: String, key: String, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as StorageError where error.code != .unexpectedValue {
            throw error
        } catch {
            add(.unreadable, table: table, key: key, expected: "a row as it was written", found: "\(error)")
            return nil
        }
    }

    /// A key's parts as they are shown.
    public static func key(_ parts: some Sequence<SQLValue>) -> String {
        parts.map { part in
            switch part {
            case .null: "-"
            case .integer(let number): String(number)
            case .text(let text): text
            case .blob(let bytes): hex(bytes)
            }
        }.joined(separator: "/")
    }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 0x0F, radix: 16) }.joined()
    }
}

/// What the rows of one server's store must agree about.
public protocol StoreCheck: Sendable {
    /// Compares rows with each other, page by page; reads only, and all of it in the caller's one view of the store.
    func run(in tx: any Transaction, _ findings: StoreFindings) throws
}
