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

    /// The gateway's entries of a wallet, payments first, each kind in the order of time.
    static func entries(of wallet: String, on day: Range<Timestamp>, in tx: any Transaction) throws -> [Entry] {
        let paid = try TradeRecords.paid(wallet: wallet, in: day, in: tx).map(entry)
        let refunds = try RefundRecords.booked(wallet: wallet, in: day, in: tx).filter { $0.part.payable > 0 }.map { refund in
            entry(refund, try TradeRecords.find(refund.trade, merchant: refund.merchant, in: tx)?.tradeNo ?? "")
        }
        return paid + refunds
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
