import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// The rows of refunds. Within a trade a request number stands for one refund for ever.
enum RefundRecords {
    static let migration = Migration(
        "alipay-0005-refunds",
        [
            """
            CREATE TABLE alipay_refunds (
                merchant TEXT NOT NULL, trade_id $BLOB NOT NULL, request_no TEXT NOT NULL, id $BLOB NOT NULL, route TEXT NOT NULL,
                state TEXT NOT NULL, price BIGINT NOT NULL, payable BIGINT NOT NULL, settlement BIGINT NOT NULL, fee BIGINT NOT NULL,
                reason TEXT NOT NULL, notify_url TEXT, failure TEXT, wallet TEXT NOT NULL, created_at BIGINT NOT NULL,
                booked_at BIGINT, credited_at BIGINT, PRIMARY KEY (merchant, trade_id, request_no))
            """,
            "CREATE UNIQUE INDEX alipay_refunds_by_id ON alipay_refunds (merchant, id)",
            "CREATE INDEX alipay_refunds_booked ON alipay_refunds (merchant, booked_at, id) WHERE booked_at IS NOT NULL",
            "CREATE INDEX alipay_refunds_of_wallet ON alipay_refunds (wallet, booked_at) WHERE booked_at IS NOT NULL",
        ])

    static let sharesMigration = Migration("alipay-0009-refund-shares", ["ALTER TABLE alipay_refunds ADD COLUMN shares $BLOB"])

    static let owedMigration = Migration(
        "alipay-0010-owed-refunds",
        ["CREATE INDEX alipay_refunds_owed ON alipay_refunds (merchant, booked_at, id) WHERE state = 'booked'"])

    /// A wallet's books are read in pages.
    static let walletMigration = Migration(
        "alipay-0012-refunds-of-wallet",
        [
            "DROP INDEX alipay_refunds_of_wallet",
            "CREATE INDEX alipay_refunds_of_wallet ON alipay_refunds (wallet, booked_at, id) WHERE booked_at IS NOT NULL",
        ])

    private static let columns = """
        merchant, trade_id, request_no, id, route, state, price, payable, settlement, fee, reason, notify_url, failure, wallet, created_at, \
        booked_at, credited_at, shares
        """

    /// Returns false where the trade has a refund of that number.
    static func insert(_ refund: Refund, in tx: any Transaction) throws -> Bool {
        let bindings: [SQLValue] = [
            refund.merchant.sqlValue, refund.trade.sqlValue, .text(refund.requestNo), refund.id.sqlValue, .text(refund.route.rawValue),
            .text(refund.state.rawValue), .integer(refund.part.price), .integer(refund.part.payable), .integer(refund.part.settlement),
            .integer(refund.part.fee), .text(refund.reason), .optional(refund.notifyURL),
            .optional(refund.failure), .text(refund.wallet), .integer(refund.createdAt.microseconds),
            .optional(refund.bookedAt), .optional(refund.creditedAt), try encoded(refund.shares),
        ]
        let places = bindings.map { _ in "?" }.joined(separator: ", ")
        return try tx.execute("INSERT INTO alipay_refunds (\(columns)) VALUES (\(places)) ON CONFLICT DO NOTHING", bindings) == 1
    }

    /// Stores what an accepted refund came to. Returns false when it is not waiting any more.
    static func settle(_ refund: Refund, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            UPDATE alipay_refunds SET state = ?, payable = ?, settlement = ?, fee = ?, failure = ?, booked_at = ?, credited_at = ?,
                shares = ?
            WHERE merchant = ? AND trade_id = ? AND request_no = ? AND state = 'accepted'
            """,
            [
                .text(refund.state.rawValue), .integer(refund.part.payable), .integer(refund.part.settlement), .integer(refund.part.fee),
                .optional(refund.failure), .optional(refund.bookedAt), .optional(refund.creditedAt),
                try encoded(refund.shares), refund.merchant.sqlValue, refund.trade.sqlValue, .text(refund.requestNo),
            ]) == 1
    }

    /// The payer's wallet has credited it. Doing it again changes nothing.
    static func credited(_ id: TimeOrderedID, merchant: MerchantID, at now: Timestamp, in tx: any Transaction) throws {
        try tx.execute(
            "UPDATE alipay_refunds SET state = 'credited', credited_at = ? WHERE merchant = ? AND id = ? AND state = 'booked'",
            [.integer(now.microseconds), merchant.sqlValue, id.sqlValue])
    }

    static func find(
        _ requestNo: String, trade: TimeOrderedID, merchant: MerchantID, in tx: any Transaction
    ) throws -> Refund? {
        try refunds(
            "WHERE merchant = ? AND trade_id = ? AND request_no = ?", [merchant.sqlValue, trade.sqlValue, .text(requestNo)], in: tx
        ).first
    }

    static func find(_ id: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> Refund? {
        try refunds("WHERE merchant = ? AND id = ?", [merchant.sqlValue, id.sqlValue], in: tx).first
    }

    static func all(of trade: TimeOrderedID, merchant: MerchantID, in tx: any Transaction) throws -> [Refund] {
        try refunds(
            "WHERE merchant = ? AND trade_id = ? ORDER BY created_at, request_no", [merchant.sqlValue, trade.sqlValue], in: tx)
    }

    /// A merchant's refunds that were booked in a time, in that order, from behind one of them on.
    static func booked(
        _ merchant: MerchantID, in time: Range<Timestamp>, after last: Refund? = nil, limit: Int, in tx: any Transaction
    ) throws -> [Refund] {
        let from = last?.bookedAt ?? time.lowerBound
        var bindings: [SQLValue] = [merchant.sqlValue, .integer(from.microseconds), .integer(time.upperBound.microseconds)]
        if let last { bindings += [.integer(from.microseconds), last.id.sqlValue] }
        bindings.append(.integer(Int64(limit)))
        let behind = last == nil ? "" : " AND (booked_at > ? OR id > ?)"
        return try refunds(
            "WHERE merchant = ? AND booked_at >= ? AND booked_at < ?\(behind) ORDER BY booked_at, id LIMIT ?", bindings, in: tx)
    }

    /// What left a merchant's balance and the payer's wallet has not credited, the oldest first.
    static func owed(_ merchant: MerchantID, limit: Int, in tx: any Transaction) throws -> [Refund] {
        try refunds(
            "WHERE merchant = ? AND state = 'booked' ORDER BY booked_at, id LIMIT ?", [merchant.sqlValue, .integer(Int64(limit))], in: tx)
    }

    /// What went back to a wallet's customers and was booked in a time, in that order, from behind a place on.
    static func booked(
        wallet: String, in time: Range<Timestamp>, after place: BookPlace?, limit: Int, in tx: any Transaction
    ) throws -> [Refund] {
        let from = place?.at ?? time.lowerBound
        var bindings: [SQLValue] = [.text(wallet), .integer(from.microseconds), .integer(time.upperBound.microseconds)]
        if let place { bindings += [.integer(from.microseconds), place.id.sqlValue] }
        bindings.append(.integer(Int64(limit)))
        let behind = place == nil ? "" : " AND (booked_at > ? OR id > ?)"
        return try refunds(
            "WHERE wallet = ? AND booked_at >= ? AND booked_at < ?\(behind) ORDER BY booked_at, id LIMIT ?", bindings, in: tx)
    }

    private static func encoded(_ shares: [TakenShare]) throws -> SQLValue {
        shares.isEmpty ? .null : .blob(try JSONDocument.encode(shares))
    }

    private static func refunds(_ condition: String, _ bindings: [SQLValue], in tx: any Transaction) throws -> [Refund] {
        try tx.query("SELECT \(columns) FROM alipay_refunds \(condition)", bindings).map { row in
            Refund(
                merchant: try MerchantID(row.text(0)), trade: try row.timeOrderedID(1), requestNo: try row.text(2),
                id: try row.timeOrderedID(3), route: try row.known(4), state: try row.known(5),
                part: .init(
                    price: try row.integer(6), payable: try row.integer(7), settlement: try row.integer(8), fee: try row.integer(9)),
                reason: try row.text(10), notifyURL: try row.optionalText(11), failure: try row.optionalText(12),
                shares: try row.optionalBlob(17).map { try JSONDocument.decode([TakenShare].self, $0) } ?? [], wallet: try row.text(13),
                createdAt: try row.timestamp(14), bookedAt: try row.optionalTimestamp(15),
                creditedAt: try row.optionalTimestamp(16))
        }
    }
}
