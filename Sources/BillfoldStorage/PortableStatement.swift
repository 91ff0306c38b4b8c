#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the adapters demand of every statement before an engine sees it.
package enum PortableStatement {
    /// Refuses statements that would end, split or reconfigure the surrounding transaction.
    ///
    /// Adapters call this once per distinct text, not per execution.
    package static func check(_ sql: String) throws(StorageError) {
        let verb = firstWord(of: sql)
        guard allowedVerbs.contains(verb) else {
            throw StorageError(
                code: .invalidStatement,
                reason: "a statement begins with \(allowedVerbs.sorted().joined(separator: ", ")), not with “\(verb)”")
        }
    }

    /// PostgreSQL cannot store U+0000 in text, so neither engine takes it; a blob may hold it.
    package static func check(_ binding: SQLValue) throws(StorageError) {
        guard case .text(var text) = binding, text.withUTF8({ holdsNull(UnsafeRawBufferPointer($0)) }) else { return }
        throw nullInText
    }

    /// As for a binding, of a text's bytes.
    package static func check(text bytes: UnsafeRawBufferPointer) throws(StorageError) {
        if holdsNull(bytes) { throw nullInText }
    }

    private static func holdsNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }

    private static var nullInText: StorageError {
        StorageError(code: .unexpectedValue, reason: "text holds U+0000, which PostgreSQL cannot store; bind a blob")
    }

    private static let allowedVerbs: Set<String> = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "CREATE", "ALTER", "DROP", "VALUES"]

    private static func firstWord(of sql: String) -> String {
        let letters = sql.utf8.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            .prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        return String(decoding: letters, as: UTF8.self).uppercased()
    }
}
