import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// The rows of payments.
enum HoldRecords {
    static let migration = Migration(
        "wallet-0004-holds",
        [
            """
            CREATE TABLE wallet_holds (
                id $BLOB NOT NULL PRIMARY KEY, account $BLOB NOT NULL, checkout $BLOB NOT NULL, trade TEXT NOT NULL, payee TEXT NOT NULL,
                subject TEXT NOT NULL, amount BIGINT NOT NULL, currency TEXT NOT NULL, state TEXT NOT NULL, refunded BIGINT NOT NULL,
                note TEXT NOT NULL, created_at BIGINT NOT NULL, paid_at BIGINT,
                CHECK (refunded >= 0), CHECK (refunded <= amount))
            """,
            // One trade is paid once, whatever checkouts there are of it.
            "CREATE UNIQUE INDEX wallet_holds_live ON wallet_holds (trade) WHERE state <> 'released'",
            "CREATE INDEX wallet_holds_by_account ON wallet_holds (account, id)",
            "CREATE INDEX wallet_holds_by_time ON wallet_holds (paid_at) WHERE paid_at IS NOT NULL",
            "CREATE INDEX wallet_holds_open ON wallet_holds (created_at) WHERE state = 'held'",
        ])

    static let contradictionsMigration = Migration(
        "wallet-0007-contradictions",
        [
            "ALTER TABLE wallet_holds ADD COLUMN contradiction TEXT",
            "CREATE INDEX wallet_holds_contradicted ON wallet_holds (id) WHERE contradiction IS NOT NULL",
        ])

    static let bookMigration = Migration(
        "wallet-0008-books",
        [
            "DROP INDEX wallet_holds_by_time",
            "CREATE INDEX wallet_holds_by_time ON wallet_holds (paid_at, id) WHERE paid_at IS NOT NULL",
            "DROP INDEX wallet_refunds_by_time",
            "CREATE INDEX wallet_refunds_by_time ON wallet_refunds (at, id)",
        ])

    private static let columns =
        "id, account, checkout, trade, payee, subject, amount, currency, state, refunded, note, created_at, paid_at"

    /// Returns false when the trade has a payment already.
    static func insert(_ hold: Hold, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO wallet_holds (id, account, checkout, trade, payee, subject, amount, currency, state, refunded, note, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'held', 0, '', ?) ON CONFLICT DO NOTHING
            """,
            [
                hold.id.sqlValue, hold.account.sqlValue, hold.checkout.sqlValue, .text(hold.trade), .text(hold.payee),
                .text(hold.subject), .integer(hold.amount.minorUnits), .text(hold.amount.currency.alphabeticCode),
                .integer(hold.createdAt.microseconds),
            ]) == 1
    }

    static func find(_ id: TimeOrderedID, in tx: any Transaction) throws -> Hold? {
        try tx.query("SELECT \(columns) FROM wallet_holds WHERE id = ?", [id.sqlValue]).first.map(read)
    }

    /// The payment of a trade that was not refused.
    static func live(trade: String, in tx: any Transaction) throws -> Hold? {
        try tx.query("SELECT \(columns) FROM wallet_holds WHERE trade = ? AND state <> 'released'", [.text(trade)]).first.map(read)
    }

    /// A customer's payments, the newest first.
    static func list(
        _ account: TimeOrderedID, before last: TimeOrderedID?, limit: Int, in tx: any Transaction
    ) throws -> [Hold] {
        try tx.query(
            "SELECT \(columns) FROM wallet_holds WHERE account = ?\(last == nil ? "" : " AND id < ?") ORDER BY id DESC LIMIT ?",
            [account.sqlValue] + (last.map { [$0.sqlValue] } ?? []) + [.integer(Int64(limit))]
        ).map(read)
    }

    /// What the gateway took in a time, in that order, from behind a place on. Only what was captured has such an instant.
    static func captured(
        from start: Timestamp, to end: Timestamp, after place: BookPlace?, limit: Int, in tx: any Transaction
    ) throws -> [Hold] {
        let from = SQLValue.integer((place?.at ?? start).microseconds)
        var bindings = [from, .integer(end.microseconds)]
        if let place { bindings += [from, place.id.sqlValue] }
        return try tx.query(
            """
            SELECT \(columns) FROM wallet_holds WHERE state = 'captured' AND paid_at >= ? AND paid_at < ?
                \(place == nil ? "" : "AND (paid_at > ? OR id > ?)") ORDER BY paid_at, id LIMIT ?
            """, bindings + [.integer(Int64(limit))]
        ).map(read)
    }

    /// How many payments wait for the gateway's word, and since when.
    static func waiting(in tx: any Transaction) throws -> (count: Int64, since: Timestamp?) {
        let row = try tx.query("SELECT COUNT(*), MIN(created_at) FROM wallet_holds WHERE state = 'held'")[0]
        return (try row.integer(0), try row.optionalTimestamp(1))
    }

    /// Keeps what the gateway says of a payment that it does not judge. Of one that is settled nothing is kept.
    static func note(_ note: String, of id: TimeOrderedID, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE wallet_holds SET note = ? WHERE id = ? AND state = 'held'", [.text(EventDetail.storable(note)), id.sqlValue])
    }

    /// Keeps that the gateway said the opposite of what is booked, until a person has looked.
    static func noteContradiction(_ event: HoldState.Event, of id: TimeOrderedID, in tx: any Transaction) throws {
        try tx.execute("UPDATE wallet_holds SET contradiction = ? WHERE id = ?", [.text(event.rawValue), id.sqlValue])
    }

    /// A person has looked. Returns false where there was nothing to look at.
    static func clearContradiction(of id: TimeOrderedID, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            "UPDATE wallet_holds SET contradiction = NULL WHERE id = ? AND contradiction IS NOT NULL", [id.sqlValue]) == 1
    }

    /// The payments of which the gateway said two things, the oldest first.
    static func contradicted(limit: Int, in tx: any Transaction) throws -> [Hold] {
        try tx.query(
            "SELECT \(columns) FROM wallet_holds WHERE contradiction IS NOT NULL ORDER BY id LIMIT ?", [.integer(Int64(limit))]
        ).map(read)
    }

    /// The payments that wait for the gateway's word since before an instant, the oldest first.
    static func waiting(since instant: Timestamp, limit: Int, in tx: any Transaction) throws -> [Hold] {
        try tx.query(
            "SELECT \(columns) FROM wallet_holds WHERE state = 'held' AND created_at <= ? ORDER BY created_at LIMIT ?",
            [.integer(instant.microseconds), .integer(Int64(limit))]
        ).map(read)
    }

    /// Returns false when the payment is not held any more.
    static func settle(
        _ id: TimeOrderedID, _ state: HoldState, paidAt: Timestamp?, note: String, in tx: any Transaction
    ) throws -> Bool {
        try tx.execute(
            "UPDATE wallet_holds SET state = ?, paid_at = ?, note = ? WHERE id = ? AND state = 'held'",
            [.text(state.rawValue), .optional(paidAt), .text(note), id.sqlValue]) == 1
    }

    /// Returns false, changing nothing, when more would be given back than was paid.
    static func refund(_ id: TimeOrderedID, _ amount: Amount, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE wallet_holds SET refunded = refunded + ?
            WHERE id = ? AND state = 'captured' AND currency = ? AND amount - refunded >= ?
            """,
            [
                .integer(amount.minorUnits), id.sqlValue, .text(amount.currency.alphabeticCode), .integer(amount.minorUnits),
            ]) == 1
    }

    private static func read(_ row: Row) throws -> Hold {
        Hold(
            id: try row.timeOrderedID(0), account: try row.timeOrderedID(1), checkout: try row.timeOrderedID(2), trade: try row.text(3),
            payee: try row.text(4), subject: try row.text(5),
            amount: Amount(minorUnits: try row.integer(6), currency: try Currency(row.text(7))), state: try row.named(8),
            refunded: try row.integer(9), note: try row.text(10), createdAt: try row.timestamp(11),
            paidAt: try row.optionalTimestamp(12))
    }
}
