import BillfoldStorage

/// Passes statements on and keeps them, so that the bound can run exactly what the job ran.
final class RecordingTransaction: Transaction {
    private let inner: any Transaction
    private(set) var statements: [Statement] = []

    init(_ inner: any Transaction) { self.inner = inner }

    func execute(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
        statements.append(Statement(sql, bindings))
        return try inner.execute(sql, bindings)
    }

    func query(_ sql: String, _ bindings: [SQLValue]) throws -> [Row] {
        statements.append(Statement(sql, bindings))
        return try inner.query(sql, bindings)
    }

    func executeBatch(_ batch: [Statement]) throws -> [Int] {
        statements += batch
        return try inner.executeBatch(batch)
    }
}
