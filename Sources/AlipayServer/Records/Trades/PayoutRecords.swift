import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What a merchant, or a receiver of its split payments, got of its balance on a bank account.
struct Payout: Sendable, Hashable {
    var merchant: MerchantID
    /// Who got a part of the merchant's payments; nil for the merchant itself.
    var receiver: String?
    /// Stands for one payout of the merchant for ever.
    var request: String
    var id: TimeOrderedID
    var amount: Amount
    var by: String
    var reason: String
    var at: Timestamp
}

/// The rows of payouts.
enum PayoutRecords {
    /// Bills read a time's payouts in order.
    static let migration = Migration(
        "alipay-0015-payouts-of-receivers",
        [
            "ALTER TABLE alipay_payouts ADD COLUMN receiver TEXT",
            "CREATE INDEX alipay_payouts_made ON alipay_payouts (merchant, at, id)",
        ])

    /// Returns false where the request stands for a payout already.
    static func insert(_ payout: Payout, in tx: any Transaction) throws -> Bool {
        try tx.execute(
            """
            INSERT INTO alipay_payouts (merchant, request, id, amount, currency, requested_by, reason, at, receiver)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                payout.merchant.sqlValue, .text(payout.request), payout.id.sqlValue, .integer(payout.amount.minorUnits),
                .text(payout.amount.currency.alphabeticCode), .text(payout.by), .text(payout.reason), .integer(payout.at.microseconds),
                .optional(payout.receiver),
            ]) == 1
    }

    /// A merchant's payouts of a time and those of its receivers, in their order, from behind one of them on.
    static func made(
        _ merchant: MerchantID, in time: Range<Timestamp>, after last: Payout? = nil, limit: Int, in tx: any Transaction
    ) throws -> [Payout] {
        let from = last?.at ?? time.lowerBound
        var bindings: [SQLValue] = [merchant.sqlValue, .integer(from.microseconds), .integer(time.upperBound.microseconds)]
        if let last { bindings += [.integer(from.microseconds), last.id.sqlValue] }
        bindings.append(.integer(Int64(limit)))
        let behind = last == nil ? "" : " AND (at > ? OR id > ?)"
        return try tx.query(
            """
            SELECT receiver, request, id, amount, currency, requested_by, reason, at FROM alipay_payouts
            WHERE merchant = ? AND at >= ? AND at < ?\(behind) ORDER BY at, id LIMIT ?
            """, bindings
        ).map { row in
            Payout(
                merchant: merchant, receiver: try row.optionalText(0), request: try row.text(1), id: try row.timeOrderedID(2),
                amount: Amount(minorUnits: try row.integer(3), currency: try Currency(row.text(4))), by: try row.text(5),
                reason: try row.text(6), at: try row.timestamp(7))
        }
    }
}
