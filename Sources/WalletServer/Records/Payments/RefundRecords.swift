import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of refunds and of operators' transfers.
enum RefundRecords {
    static let migration = Migration(
        "wallet-0005-refunds",
        [
            """
            CREATE TABLE wallet_refunds (
                id $BLOB NOT NULL PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, hold $BLOB NOT NULL, account $BLOB NOT NULL,
                trade TEXT NOT NULL, payee TEXT NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL, reason TEXT NOT NULL,
                at BIGINT NOT NULL)
            """,
            "CREATE INDEX wallet_refunds_by_account ON wallet_refunds (account, id)",
            "CREATE INDEX wallet_refunds_by_time ON wallet_refunds (at)",
            """
            CREATE TABLE wallet_transfers (
                id $BLOB NOT NULL PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, account $BLOB NOT NULL, kind TEXT NOT NULL,
                amount BIGINT NOT NULL, currency TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL, at BIGINT NOT NULL)
            """,
            "CREATE INDEX wallet_transfers_by_account ON wallet_transfers (account, id)",
        ])

    private static let columns = "id, request_id, hold, account, trade, payee, amount, currency, reason, at"

    static func insert(_ refund: CustomerRefund, in tx: any Transaction) throws {
        try tx.execute(
            "INSERT INTO wallet_refunds (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                refund.id.sqlValue, .text(refund.requestID), refund.hold.sqlValue, refund.account.sqlValue, .text(refund.trade),
                .text(refund.payee), .integer(refund.amount.minorUnits), .text(refund.amount.currency.alphabeticCode),
                .text(refund.reason), .integer(refund.at.microseconds),
            ])
    }

    static func find(requestID: String, in tx: any Transaction) throws -> CustomerRefund? {
        try tx.query("SELECT \(columns) FROM wallet_refunds WHERE request_id = ?", [.text(requestID)]).first.map(read)
    }

    static func list(
        _ account: TimeOrderedID, before last: TimeOrderedID?, limit: Int, in tx: any Transaction
    ) throws -> [CustomerRefund] {
        try tx.query(
            "SELECT \(columns) FROM wallet_refunds WHERE account = ?\(last == nil ? "" : " AND id < ?") ORDER BY id DESC LIMIT ?",
            [account.sqlValue] + (last.map { [$0.sqlValue] } ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }

    /// What came back to customers in a time, in that order, from behind a place on.
    static func made(
        from start: Timestamp, to end: Timestamp, after place: BookPlace?, limit: Int, in tx: any Transaction
    ) throws -> [CustomerRefund] {
        let from = SQLValue.integer((place?.at ?? start).microseconds)
        var bindings = [from, .integer(end.microseconds)]
        if let place { bindings += [from, place.id.sqlValue] }
        let behind = place == nil ? "" : "AND (at > ? OR id > ?)"
        return try tx.query(
            "SELECT \(columns) FROM wallet_refunds WHERE at >= ? AND at < ? \(behind) ORDER BY at, id LIMIT ?",
            bindings + [.integer(Int64(limit))]
        ).map(read)
    }

    private static func read(_ row: Row) throws -> CustomerRefund {
        CustomerRefund(
            id: try row.timeOrderedID(0), requestID: try row.text(1), hold: try row.timeOrderedID(2), account: try row.timeOrderedID(3),
            trade: try row.text(4), payee: try row.text(5),
            amount: Amount(minorUnits: try row.integer(6), currency: try Currency(row.text(7))), reason: try row.text(8),
            at: try row.timestamp(9))
    }

    // MARK: Transfers

    /// Returns false when a transfer of that request is known.
    static func insert(_ transfer: CustomerTransfer, requestID: String, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO wallet_transfers (id, request_id, account, kind, amount, currency, actor, reason, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                transfer.id.sqlValue, .text(requestID), transfer.account.sqlValue, .text(transfer.kind.rawValue),
                .integer(transfer.amount.minorUnits), .text(transfer.amount.currency.alphabeticCode), .text(transfer.by),
                .text(transfer.reason), .integer(transfer.at.microseconds),
            ]) == 1
    }

    static func transfers(
        _ account: TimeOrderedID, before last: TimeOrderedID?, limit: Int, in tx: any Transaction
    ) throws -> [CustomerTransfer] {
        try tx.query(
            """
            SELECT id, kind, amount, currency, actor, reason, at FROM wallet_transfers
            WHERE account = ?\(last == nil ? "" : " AND id < ?") ORDER BY id DESC LIMIT ?
            """,
            [account.sqlValue] + (last.map { [$0.sqlValue] } ?? []) + [.integer(Int64(limit))]
        ).map { row in
            CustomerTransfer(
                id: try row.timeOrderedID(0), account: account, kind: try row.named(1),
                amount: Amount(minorUnits: try row.integer(2), currency: try Currency(row.text(3))), by: try row.text(4),
                reason: try row.text(5), at: try row.timestamp(6))
        }
    }
}
