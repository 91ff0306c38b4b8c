import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// What one side of the wallet link believes of a day: the same form from both, so that the two can be compared.
struct WalletBooks: Sendable, Hashable, Codable {
    struct Entry: Sendable, Hashable, Codable {
        var tradeNo: String
        /// The wallet's request of a payment, the gateway's of a refund: both sides know it.
        var requestId: String
        /// `payment` or `refund`.
        var kind: String
        var amount: LinkAnswer.Money
        /// Milliseconds since 1970.
        var at: Int64
    }

    var entries: [Entry]
    /// The cursor of the next page, while there may be one.
    var next: String?

    /// A transaction as the gateway keeps it.
    enum Booked: Sendable {
        case payment(Trade)
        case refund(Refund, tradeNo: String)

        /// What the link says of it; nothing of a refund that rounded to nothing, which no wallet is told of.
        var entry: Entry? {
            switch self {
            case .payment(let trade): WalletBooks.entry(trade)
            case .refund(let refund, let tradeNo): refund.part.payable > 0 ? WalletBooks.entry(refund, tradeNo) : nil
            }
        }
    }

    /// A page of the gateway's books of a wallet.
    static func page(
        of wallet: String, on day: Range<Timestamp>, after place: BookPlace?, limit: Int, in tx: any Transaction
    ) throws -> (rows: [Booked], next: BookPlace?) {
        try BookPlace.page(
            after: place, limit: limit,
            payments: { place, limit in
                try TradeRecords.paid(wallet: wallet, in: day, after: place, limit: limit, in: tx).map { trade in
                    (row: .payment(trade), place: BookPlace(.payment, at: trade.paidAt ?? trade.updatedAt, id: trade.id))
                }
            },
            refunds: { place, limit in
                try RefundRecords.booked(wallet: wallet, in: day, after: place, limit: limit, in: tx).map { refund in
                    let tradeNo = try TradeRecords.find(refund.trade, merchant: refund.merchant, in: tx)?.tradeNo ?? ""
                    return (
                        row: .refund(refund, tradeNo: tradeNo),
                        place: BookPlace(.refund, at: refund.bookedAt ?? refund.createdAt, id: refund.id)
                    )
                }
            })
    }

    /// What the gateway has of another side's entry, on whatever day; `nil` where it has nothing.
    static func counterpart(of entry: Entry, wallet: String, in tx: any Transaction) throws -> Entry? {
        guard TradeNumber.isPlausible(entry.tradeNo), let trade = try TradeRecords.find(tradeNo: entry.tradeNo, in: tx),
            trade.wallet == wallet
        else { return nil }
        guard entry.kind == "refund" else { return trade.paymentRequest == entry.requestId ? self.entry(trade) : nil }
        guard let id = try? TimeOrderedID(text: entry.requestId),
            let refund = try RefundRecords.find(id, merchant: trade.merchant, in: tx), refund.trade == trade.id, refund.bookedAt != nil
        else { return nil }
        return self.entry(refund, trade.tradeNo)
    }

    private static func entry(_ trade: Trade) -> Entry {
        Entry(
            tradeNo: trade.tradeNo, requestId: trade.paymentRequest ?? "", kind: "payment", amount: .init(trade.money.payable),
            at: (trade.paidAt ?? trade.updatedAt).milliseconds)
    }

    private static func entry(_ refund: Refund, _ tradeNo: String) -> Entry {
        Entry(
            tradeNo: tradeNo, requestId: refund.id.description, kind: "refund",
            amount: .init(Amount(minorUnits: refund.part.payable, currency: .cny)), at: (refund.bookedAt ?? refund.createdAt).milliseconds)
    }
}
