public import BillfoldStorage

/// A change of a store's rows that no server makes, to see whether a check finds it.
public struct Alteration: Sendable, CustomStringConvertible {
    public var description: String
    public var statements: [Statement]

    public init(_ description: String, _ sql: String..., values: [SQLValue] = []) {
        self.description = description
        statements = sql.map { Statement($0, values) }
    }

    private struct TakenBack: Error {
        var found: [String]
    }

    private struct ChangedNothing: Error, CustomStringConvertible {
        var description: String
    }

    /// Makes the change, runs a check beside it in the same transaction, takes the change back, and returns what was found.
    public func findings(
        in database: any Database, by check: @escaping @Sendable (any Transaction) throws -> [String]
    ) async throws -> [String] {
        do {
            try await database.write { tx in
                for statement in statements {
                    guard try tx.execute(statement.sql, statement.bindings) > 0 else {
                        throw ChangedNothing(description: "\(description): the statement changed no row: \(statement.sql)")
                    }
                }
                throw TakenBack(found: try check(tx))
            }
            return []
        } catch let end as TakenBack {
            return end.found
        }
    }
}
