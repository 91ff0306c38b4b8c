import AlipayServer
import BillfoldWeb

/// The order gateway's pages with one value in every field.
extension PageSamples {
    static func gatewayOverview(all value: String) -> OrderGatewayOverview {
        OrderGatewayOverview(
            orders: [order(value)], parked: [notification(value, state: "parked")],
            owed: [true, false].map {
                .init(
                    id: value, merchant: value, merchantName: value, tradeNo: value, requestNo: value, amount: value, wallet: value,
                    attempts: 2, note: value, isGivenUp: $0, bookedAt: 0)
            }, merchants: [.init(id: value, name: value)],
            filter: OrderGatewayFilter(merchant: value, number: value))
    }

    static func refundBatch(_ name: String, all value: String) throws -> String {
        try RefundBatchPage(
            merchant: value, partner: value, number: value, total: value,
            items: [nil, "SUCCESS", value].map { .init(tradeNo: value, amount: value, reason: value, outcome: $0) },
            call: name == "refund-batch" ? value : nil, isPasswordWrong: true, isTest: true
        ).html()
    }

    static func gatewayTrade(all value: String) -> OrderGatewayTradeView {
        OrderGatewayTradeView(
            order: order(value), buyer: value, payable: value, settlement: value, fee: value, currency: value, rate: value, expiresAt: 0,
            paidAt: 0,
            shares: [.init(receiver: value, amount: value, takenBack: value, note: value)],
            refunds: [
                .init(
                    requestNo: value, amount: value, payable: value, settlement: value, fee: value, state: value, route: value,
                    reason: value, failure: value, at: 0, creditedAt: 0)
            ], notifications: [notification(value, state: "settled"), notification(value, state: "waiting")],
            postings: [.init(template: value, account: value, amount: value, at: 0)])
    }

    static func gatewayBooks(all value: String) -> OrderGatewayBooks {
        let entry = OrderGatewayBooks.Entry(tradeNo: value, value: value, currency: value, at: 0)
        return OrderGatewayBooks(
            day: value, wallet: value, wallets: [value, "b"],
            lines: OrderGatewayBooks.Verdict.allCases.map {
                .init(
                    kind: value, requestId: value, gateway: $0 == .walletAlone ? nil : entry, wallet: $0 == .gatewayAlone ? nil : entry,
                    verdict: $0)
            }, totals: [.init(party: value, payments: 1, paid: value, refunds: 1, givenBack: value)])
    }

    private static func order(_ value: String) -> OrderGatewayOverview.Order {
        .init(
            tradeNo: value, outTradeNo: value, merchant: value, merchantName: value, subject: value, price: value, refunded: value,
            status: value, madeAt: 0, space: .init(name: value, now: 1_000_000, everybodys: 0))
    }

    static func notification(_ value: String, state: String) -> NotificationView {
        NotificationView(
            id: value, merchant: value, notifyID: value, tradeNo: value, kind: "batch", says: value, address: value, state: state,
            madeAt: 0,
            attempts: [
                .init(number: "1", status: "", reply: "", note: value, reason: value, milliseconds: 7, at: 0),
                .init(number: "2", status: "200", reply: value, note: "", at: 0),
            ], next: 0)
    }
}
