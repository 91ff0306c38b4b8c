import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb

/// What operators see of the gateway, and what they can do.
package struct AlipayBackOffice: OrderGatewayDesk {
    let context: AlipayServerContext

    static let mostRows = 100
    package func overview(_ filter: OrderGatewayFilter) async throws -> OrderGatewayOverview {
        let (orders, parked, owed, merchants) = try await context.database.read { tx in
            var orders: [(Trade, TradeOrder, AlipayMerchant)] = []
            var parked: [NotificationView] = []
            var owed: [(bookedAt: Timestamp, shown: OrderGatewayOverview.OwedRefund)] = []
            let merchants = try MerchantRecords.all(in: tx)
            for merchant in merchants where filter.merchant == nil || filter.merchant == merchant.partner.description {
                for trade in try Self.trades(filter.number, of: merchant.partner, in: tx) {
                    orders.append((trade, try TradeOrderRecords.order(of: trade, in: tx), merchant))
                }
                for row in try NotificationRecords.parked(merchant.partner, limit: Self.mostRows, in: tx) {
                    parked.append(try Self.shown(row, in: tx))
                }
                owed += try Self.owed(merchant, in: tx)
            }
            return (orders, parked, owed, merchants)
        }
        let latest = orders.sorted { $0.0.id > $1.0.id }.prefix(Self.mostRows)
        return OrderGatewayOverview(
            orders: latest.map { Self.shown($0.0, order: $0.1, merchant: $0.2, at: context.clock) }, parked: parked,
            owed: owed.sorted { $0.bookedAt < $1.bookedAt }.map(\.shown),
            merchants: merchants.map { .init(id: $0.partner.description, name: $0.name) }, filter: filter)
    }

    /// A merchant's trades under a number, its own or ours; the latest where there is none.
    private static func trades(_ number: String?, of merchant: MerchantID, in tx: any Transaction) throws -> [Trade] {
        guard let number else { return try TradeRecords.latest(merchant, limit: mostRows, in: tx) }
        if let trade = try TradeRecords.find(outTradeNo: number, merchant: merchant, in: tx) { return [trade] }
        guard TradeNumber.isPlausible(number), let trade = try TradeRecords.find(tradeNo: number, in: tx), trade.merchant == merchant else {
            return []
        }
        return [trade]
    }

    package func trade(_ number: String) async throws -> OrderGatewayTradeView? {
        guard TradeNumber.isPlausible(number) else { return nil }
        return try await context.database.read { [clock = context.clock] tx in
            guard let trade = try TradeRecords.find(tradeNo: number, in: tx),
                let merchant = try MerchantRecords.merchant(trade.merchant, in: tx)?.value
            else { return nil }
            let order = try TradeOrderRecords.order(of: trade, in: tx)
            let refunds = try RefundRecords.all(of: trade.id, merchant: trade.merchant, in: tx)
            var postings = try LedgerRecords.postings(of: trade.id, merchant: trade.merchant, in: tx)
            for refund in refunds { postings += try LedgerRecords.postings(of: refund.id, merchant: trade.merchant, in: tx) }
            return OrderGatewayTradeView(
                order: Self.shown(trade, order: order, merchant: merchant, at: clock), buyer: trade.buyer.logonID,
                payable: trade.money.payable.description,
                settlement: trade.money.settlement.description, fee: trade.money.fee.description,
                currency: trade.money.settlement.currency.alphabeticCode, rate: trade.money.rate?.rate.description,
                expiresAt: trade.expiresAt.microseconds, paidAt: trade.paidAt?.microseconds,
                shares: Self.shares(order.detail.shares ?? [], after: refunds, of: trade),
                refunds: refunds.map { Self.shown($0, of: trade) },
                notifications: try NotificationRecords.all(of: trade.id, merchant: trade.merchant, in: tx).map {
                    try Self.shown($0, in: tx)
                },
                postings: postings.map {
                    PostingView(
                        template: $0.template, account: $0.account, amount: $0.amount.description, at: $0.at.microseconds)
                })
        }
    }

    package func replay(_ id: String, of merchant: String, because reason: String, by person: String) async throws -> Bool {
        guard let id = try? TimeOrderedID(text: id), let merchant = try? MerchantID(merchant) else { return false }
        let (now, links) = (context.clock.now(), AuditChain(key: context.configuration.keys.audit))
        return try await context.database.writeRepeatably { tx in
            guard let row = try NotificationRecords.find(id, merchant: merchant, in: tx) else { return false }
            return try NotificationRecords.deliveries.replay(
                id, in: row.state, owner: merchant, by: person, because: reason, at: now, linking: links, in: tx)
        }
    }

    private static func shown(
        _ trade: Trade, order: TradeOrder, merchant: AlipayMerchant, at clock: any WallClock
    ) -> OrderGatewayOverview.Order {
        OrderGatewayOverview.Order(
            tradeNo: trade.tradeNo, outTradeNo: trade.outTradeNo, merchant: merchant.partner.description, merchantName: merchant.name,
            subject: order.detail.subject, price: trade.money.price.description,
            refunded: trade.refunded.price == 0 ? nil : trade.refundedPrice.description, status: trade.status.rawValue,
            madeAt: trade.createdAt.microseconds, space: clock.spaceNote(of: merchant.partner.description))
    }

    private static func shown(_ refund: Refund, of trade: Trade) -> OrderGatewayTradeView.Refund {
        func text(_ minorUnits: Int64, _ like: Amount) -> String { Amount(minorUnits: minorUnits, currency: like.currency).description }
        let (part, money) = (refund.part, trade.money)
        return OrderGatewayTradeView.Refund(
            requestNo: refund.requestNo, amount: text(part.price, money.price), payable: text(part.payable, money.payable),
            settlement: text(part.settlement, money.settlement), fee: part.fee == 0 ? "" : text(part.fee, money.fee),
            state: refund.state.rawValue, route: refund.route.call, reason: refund.reason, failure: refund.failure,
            at: refund.createdAt.microseconds, creditedAt: refund.creditedAt?.microseconds)
    }

    private static func shares(_ shares: [FundShare], after refunds: [Refund], of trade: Trade) -> [OrderGatewayTradeView.Share] {
        var taken = Dictionary(
            refunds.filter { $0.bookedAt != nil }.flatMap(\.shares).map { ($0.receiver, $0.amount) }, uniquingKeysWith: +)
        return shares.map { share in
            // A receiver that stands there twice gives back from its first part on.
            let back = min(taken[share.receiver] ?? 0, share.amount)
            taken[share.receiver, default: 0] -= back
            func text(_ minorUnits: Int64) -> String { Amount(minorUnits: minorUnits, currency: trade.money.price.currency).description }
            return OrderGatewayTradeView.Share(
                receiver: share.receiver, amount: text(share.amount), takenBack: back == 0 ? nil : text(back), note: share.note)
        }
    }

    private static func shown(_ row: NotificationRow, in tx: any Transaction) throws -> NotificationView {
        NotificationView(
            id: row.id.description, merchant: row.merchant.description, notifyID: row.notifyID,
            tradeNo: try TradeRecords.find(row.trade, merchant: row.merchant, in: tx)?.tradeNo ?? "", kind: row.kind, says: row.says,
            // A query may hold what the merchant keeps secret.
            address: String(row.url.prefix { $0 != "?" && $0 != "#" }), state: row.state.rawValue, madeAt: row.createdAt.microseconds,
            attempts: try NotificationRecords.deliveries.attempts(of: row.id, owner: row.merchant, in: tx).map { attempt in
                NotificationView.Attempt(
                    number: String(attempt.number), status: attempt.status.map { String($0) } ?? "",
                    reply: String(decoding: attempt.reply, as: UTF8.self), note: attempt.note, reason: attempt.reason?.rawValue ?? "",
                    milliseconds: attempt.milliseconds, at: attempt.at.microseconds)
            }, next: try OutboxRecords.standing(of: row.id, merchant: row.merchant, in: tx)?.nextAttempt?.microseconds)
    }
}
