import BillfoldMoney
import BillfoldStorage
import UnionPay

/// The gateway's books of a settlement day, for comparison with the merchant's; written and read by code of its own, or the
/// comparison would prove nothing.
struct UnionPayGatewayBooks: Sendable, Encodable {
    struct Entry: Sendable, Encodable {
        var merId: String
        var orderId: String
        var txnTime: String
        var queryId: String
        /// `consume`, `refund` or `void`.
        var type: String
        /// Decimal text in major units with the currency's digits.
        var amount: String
        var fee: String
        var currency: String
        var settleDate: String
        var originalQueryId: String?
        /// `live`, `voided` or `reversed`.
        var standing: String
        /// `origRespCode`.
        var code: String
        var paid: Bool
    }

    struct Total: Sendable, Encodable {
        var currency: String
        var consumes: String
        var refunds: String
        var voids: String
        var fees: String
        /// What reaches the merchant: consumes less refunds, voids and fees.
        var net: String
        var count: Int
    }

    /// Everything that settles, in the order of booking.
    var entries: [Entry]
    var totals: [Total]

    static func entry(_ row: UnionPayGatewayTransaction, at now: Timestamp) throws -> Entry {
        let currency = try Currency(numeric: row.currency)
        return Entry(
            merId: row.key.merchant.description, orderId: row.key.order.description, txnTime: row.key.time.description,
            queryId: row.queryID.description, type: row.type.title, amount: text(row.amount, currency), fee: text(row.fee, currency),
            currency: currency.alphabeticCode, settleDate: row.settlementDay, originalQueryId: row.original?.description,
            standing: row.standing.rawValue, code: row.code(at: now).rawValue, paid: row.isPaid(at: now))
    }

    init(_ rows: [UnionPayGatewayTransaction], at now: Timestamp) throws {
        let settled = UnionPayGatewayFile.settled(rows, at: now)
        entries = try settled.map { try Self.entry($0, at: now) }
        totals = try Dictionary(grouping: settled, by: \.currency).sorted { $0.key < $1.key }.map { code, rows in
            let currency = try Currency(numeric: code)
            func sum(_ type: TransactionType) -> Int64 { rows.filter { $0.type == type }.reduce(0) { $0 + $1.amount } }
            let fees = rows.reduce(0) { $0 + $1.fee }
            return Total(
                currency: currency.alphabeticCode, consumes: Self.text(sum(.consume), currency), refunds: Self.text(sum(.refund), currency),
                voids: Self.text(sum(.void), currency), fees: Self.text(fees, currency),
                net: Self.text(sum(.consume) - sum(.refund) - sum(.void) - fees, currency), count: rows.count)
        }
    }

    private static func text(_ minorUnits: Int64, _ currency: Currency) -> String {
        Amount(minorUnits: minorUnits, currency: currency).text
    }
}
