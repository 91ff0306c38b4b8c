import BillfoldStorage

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The prepared statements of one connection, found by the text's address first and by its content second.
///
/// A statement's text is nearly always a literal, whose bytes never move: comparing the bytes found at a known address
/// costs less than hashing them, and a different text at a reused address is noticed.
struct StatementCache {
    private struct Entry {
        var text: [UInt8]
        var statement: SQLiteStatement
    }

    private var entries: [Entry] = []
    private var byContent: [String: Int] = [:]
    private var slots = [Int](repeating: -1, count: 1_024)
    private let values = BindingBuffer()

    mutating func statement(_ sql: String, on connection: OpaquePointer) throws(StorageError) -> SQLiteStatement {
        let slot = sql.utf8.withContiguousStorageIfAvailable { bytes in
            (Int(bitPattern: bytes.baseAddress) >> 4 ^ bytes.count &* 31) & 1_023
        }
        if let slot, case let index = slots[slot], index >= 0, matches(sql, entries[index].text) {
            return entries[index].statement
        }
        if let index = byContent[sql] {
            if let slot { slots[slot] = index }
            return entries[index].statement
        }
        try PortableStatement.check(sql)
        let statement = try SQLiteStatement.prepare(sql, on: connection, values: values)
        if entries.count >= 512 { removeAll() }
        byContent[sql] = entries.count
        if let slot { slots[slot] = entries.count }
        entries.append(Entry(text: Array(sql.utf8), statement: statement))
        return statement
    }

    mutating func removeAll() {
        for entry in entries { entry.statement.finalize() }
        entries.removeAll()
        byContent.removeAll()
        slots = [Int](repeating: -1, count: slots.count)
    }

    private func matches(_ sql: String, _ text: [UInt8]) -> Bool {
        sql.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count == text.count, let left = bytes.baseAddress else { return false }
            return text.withUnsafeBytes { right in right.baseAddress.map { memcmp(left, $0, bytes.count) == 0 } ?? false }
        } ?? false
    }
}
