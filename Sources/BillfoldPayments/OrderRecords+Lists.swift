public import BillfoldStorage

extension OrderRecords {
    /// A list is read in the order of making: an index for each way to narrow it, with that order in it.
    static let lists = Migration(
        "payments-0014-lists",
        [
            "CREATE INDEX orders_by_age ON orders (merchant, created_at, id)",
            "CREATE INDEX payments_by_age ON payments (merchant, created_at, id)",
            "CREATE INDEX payments_by_state ON payments (merchant, state, created_at, id)",
            "CREATE INDEX modifications_by_age ON modifications (merchant, kind, created_at, id)",
            "CREATE INDEX modifications_by_state ON modifications (merchant, kind, state, created_at, id)",
        ])

    /// A part of a merchant's orders, the newest first.
    public static func list(_ filter: ListFilter, merchant: MerchantID, in tx: any Transaction) throws -> [Order] {
        let clause = filter.clause([])
        return try tx.query("SELECT \(columns) FROM orders WHERE merchant = ?\(clause.sql)", [merchant.sql] + clause.values)
            .map { try order($0, merchant: merchant) }
    }
}

extension PaymentRecords {
    /// A part of a merchant's payments, the newest first.
    ///
    /// - Parameters:
    ///   - filter: Which part.
    ///   - state: Only payments that are in this state now.
    ///   - merchant: Whose payments are told of; no other's are.
    ///   - tx: The read that sees them.
    public static func list(
        _ filter: ListFilter, state: PaymentState? = nil, merchant: MerchantID, in tx: any Transaction
    ) throws -> [Payment] {
        let clause = filter.clause(state.map { [("state = ?", .text($0.rawValue))] } ?? [])
        return try tx.query("SELECT \(columns) FROM payments WHERE merchant = ?\(clause.sql)", [merchant.sql] + clause.values)
            .map { try payment($0, merchant: merchant) }
    }
}

extension ModificationRecords {
    /// A part of what undoes a merchant's payments in one way, the newest first.
    ///
    /// - Parameters:
    ///   - kind: In which way.
    ///   - filter: Which part.
    ///   - state: Only those that are in this state now.
    ///   - merchant: Whose they are; no other's are told of.
    ///   - tx: The read that sees them.
    public static func list(
        _ kind: Modification.Kind, _ filter: ListFilter, state: Modification.State? = nil, merchant: MerchantID, in tx: any Transaction
    ) throws -> [Modification] {
        var conditions: [(sql: String, value: SQLValue)] = [("kind = ?", .text(kind.rawValue))]
        if let state { conditions.append(("state = ?", .text(state.rawValue))) }
        let clause = filter.clause(conditions)
        return try tx.query("SELECT \(columns) FROM modifications WHERE merchant = ?\(clause.sql)", [merchant.sql] + clause.values)
            .map { try modification($0, merchant: merchant) }
    }
}
