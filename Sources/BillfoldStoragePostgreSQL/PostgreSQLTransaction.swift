import BillfoldStorage

/// The statements of one body on one session. `BEGIN` travels with the first of them.
final class PostgreSQLTransaction: Transaction {
    private let connection: PostgreSQLConnection
    private let begin: String
    private let writes: Bool
    private let deadline: ContinuousClock.Instant
    private var isOpen = true
    private(set) var hasBegun = false
    /// The first failure, which spoils everything after it.
    private(set) var failure: PostgreSQLFailure?

    init(_ connection: PostgreSQLConnection, begin: String, writes: Bool, deadline: ContinuousClock.Instant) {
        self.connection = connection
        self.begin = begin
        self.writes = writes
        self.deadline = deadline
    }

    func end() { isOpen = false }

    var blobType: String { "BYTEA" }

    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
        try executeBatch([Statement(sql, bindings)])[0]
    }

    func executeBatch(_ statements: [Statement]) throws -> [Int] {
        guard writes else { throw StorageError(code: .invalidStatement, reason: "a read changes nothing") }
        guard !statements.isEmpty else { return [] }
        return try run(statements).map(\.changedRows)
    }

    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] {
        let results = try run([Statement(sql, bindings)])
        do {
            return try results[0].rows()
        } catch {
            failure = .refused(error)
            throw error
        }
    }

    private func run(_ statements: [Statement]) throws -> [PostgreSQLResult] {
        guard isOpen else { throw StorageError(code: .invalidStatement, reason: "the transaction has ended") }
        if let failure { throw failure.storageError }
        var requests = statements.map { PostgreSQLConnection.Request.statement($0.sql, $0.bindings) }
        if !hasBegun { requests.insert(.control(begin), at: 0) }
        do {
            let first = hasBegun ? 0 : 1
            hasBegun = true
            return Array(try connection.run(requests, deadline: deadline).dropFirst(first))
        } catch {
            failure = error
            throw error.storageError
        }
    }
}
