import BillfoldStorage

/// The statements of one body on the writer's or a reader's connection.
final class SQLiteTransaction: Transaction {
    /// Looks a statement up in the connection's cache.
    private let prepare: (String) throws -> SQLiteStatement
    private let writes: Bool
    private var isOpen = true
    /// The first failure, which spoils everything after it.
    private(set) var failure: StorageError?

    init(writes: Bool, prepare: @escaping (String) throws -> SQLiteStatement) {
        self.writes = writes
        self.prepare = prepare
    }

    func end() { isOpen = false }

    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
        guard writes else { throw StorageError(code: .invalidStatement, reason: "a read changes nothing") }
        return try spoiling { try prepare(sql).execute(bindings) }
    }

    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] {
        try spoiling {
            let statement = try prepare(sql)
            guard writes || statement.readsOnly else { throw StorageError(code: .invalidStatement, reason: "a read changes nothing") }
            return try statement.query(bindings)
        }
    }

    func executeBatch(_ statements: [Statement]) throws -> [Int] {
        try statements.map { try execute($0.sql, $0.bindings) }
    }

    private func spoiling<Value>(_ work: () throws -> Value) throws -> Value {
        guard isOpen else { throw StorageError(code: .invalidStatement, reason: "the transaction has ended") }
        if let failure { throw failure }
        do {
            return try work()
        } catch let error as StorageError {
            failure = error
            throw error
        }
    }
}
