import Alipay
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import PaymentCrypto
import Testing

@testable import AlipayServer

/// Two merchants at one gateway, each with a time of its own.
struct OwnTimeTests {
    private typealias Gateway = OrderGatewayHarness

    private func open(_ engine: StoreEngine, _ body: @Sendable @escaping (OrderGatewayHarness, SpaceClock) async throws -> Void)
        async throws
    {
        try await OrderGatewayHarness.open(engine, spaces: MemorySpaces([Gateway.domestic, Gateway.crossBorder])) { gateway in
            try await body(gateway, #require(gateway.ownTime))
        }
    }

    @Test(arguments: StoreEngine.available) func aTradeEndsByItsMerchantsTimeAlone(_ engine: StoreEngine) async throws {
        try await open(engine) { gateway, clock in
            let ours = try await gateway.begin(try await gateway.legacyOrder("OT_1"))
            let theirs = try await gateway.begin(try await gateway.legacyOrder("OT_2", partner: Gateway.crossBorder))
            try await clock.advance(Gateway.domestic, by: .seconds(1_860))
            #expect(try await gateway.server.deadlineWorker.runOnce() == 1)
            let late = try await gateway.pay(ours.tradeNo, ours.payable, request: "late")
            #expect(late.status != 200, "\(late.body)")
            #expect(try await gateway.modern("alipay.trade.query", #"{"out_trade_no":"OT_1"}"#)["trade_status"]?.string == "TRADE_CLOSED")
            // The console says whose time it was.
            let shown = try #require(try await gateway.server.backOffice.trade(ours.tradeNo)?.order)
            #expect(shown.status == "TRADE_CLOSED" && shown.space?.name == Gateway.domestic && shown.space?.ahead == "31 min")
            let other = try #require(try await gateway.server.backOffice.trade(theirs.tradeNo)?.order)
            #expect(other.space?.name == Gateway.crossBorder && other.space?.ahead == nil)
            let timely = try await gateway.pay(theirs.tradeNo, theirs.payable, request: "timely")
            #expect(timely.status == 200, "\(timely.body)")
            // What the merchant who is ahead makes now is open as long as any.
            try await gateway.paid(try await gateway.modernOrder("OT_3"))
        }
    }

    @Test(arguments: StoreEngine.available) func aNotificationComesAgainByItsMerchantsTimeAlone(_ engine: StoreEngine) async throws {
        try await open(engine) { gateway, clock in
            gateway.outside.reply(200, "no")
            try await gateway.paid(try await gateway.legacyOrder("ON_1"))
            try await gateway.paid(try await gateway.legacyOrder("ON_2", partner: Gateway.crossBorder))
            try await gateway.work()
            #expect(gateway.outside.notifications.count == 2)
            // Of two that are due at once, either is sent first.
            let first = gateway.outside.notifications
            let ours = try #require(first.first { Self.isOf("ON_1", $0) })
            let theirs = try #require(first.first { Self.isOf("ON_2", $0) })
            try await clock.advance(Gateway.domestic, by: .seconds(240))
            try await gateway.work()
            #expect(gateway.outside.notifications.dropFirst(2).map(\.form) == [ours.form])
            gateway.clock.advance(by: .seconds(240))
            try await gateway.work()
            #expect(gateway.outside.notifications.dropFirst(3).map(\.form) == [theirs.form])
        }
    }

    private static func isOf(_ order: String, _ sent: Outside.Received) -> Bool {
        String(decoding: sent.form, as: UTF8.self).contains("out_trade_no=\(order)&")
    }
}
