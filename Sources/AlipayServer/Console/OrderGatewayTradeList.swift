import BillfoldMoney
import BillfoldPayments
package import BillfoldServer
import BillfoldStorage

/// A page of a merchant's trades, as programs read it.
package struct OrderGatewayTradeList: Encodable, Sendable {
    package struct Line: Encodable, Sendable {
        var tradeNo: String
        var outTradeNo: String
        var status: String
        var subject: String
        var amount: String
        var currency: String
        var refunded: String
        var createdAt: String
        var paidAt: String?
        var closedAt: String?

        init(_ trade: Trade, subject: String) {
            tradeNo = trade.tradeNo
            outTradeNo = trade.outTradeNo
            status = trade.status.rawValue
            self.subject = subject
            amount = trade.money.price.text
            currency = trade.money.price.currency.alphabeticCode
            refunded = trade.refundedPrice.text
            createdAt = trade.createdAt.rfc3339
            paidAt = trade.paidAt?.rfc3339
            closedAt = trade.closedAt?.rfc3339
        }
    }

    package var trades: [Line]
    /// The cursor of the page behind it; absent on the last one.
    package var next: String?

    package init(trades: [Line], next: String?) {
        self.trades = trades
        self.next = next
    }
}

extension AlipayBackOffice {
    package func trades(of merchant: String, _ wish: ListQuery<TradeStatus>) async throws -> OrderGatewayTradeList? {
        guard let merchant = try? MerchantID(merchant) else { return nil }
        let filter = try wish.filter()
        let found = try await context.database.read { tx -> [(trade: Trade, subject: String)]? in
            guard try MerchantRecords.merchant(merchant, in: tx) != nil else { return nil }
            let trades: [Trade]
            if let reference = wish.reference {
                let named = try TradeRecords.find(outTradeNo: reference, merchant: merchant, in: tx).map { [$0] } ?? []
                trades = filter.part(of: named.filter { wish.state == nil || $0.status == wish.state }, by: \.place)
            } else {
                trades = try TradeRecords.list(filter, status: wish.state, merchant: merchant, in: tx)
            }
            return try trades.map { ($0, try TradeOrderRecords.order(of: $0, in: tx).detail.subject) }
        }
        guard let found else { return nil }
        let page = wish.page.page(of: found) { $0.trade.place.values }
        return OrderGatewayTradeList(trades: page.items.map { .init($0.trade, subject: $0.subject) }, next: page.next)
    }
}

extension Trade {
    fileprivate var place: ListFilter.Place { ListFilter.Place(at: createdAt, id: id) }
}
