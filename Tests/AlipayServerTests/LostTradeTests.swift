import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import BillfoldTestSupport
import BillfoldWeb
import HTTPTypes
import Testing

@testable import AlipayServer

/// Payments of trades that the gateway's books have lost.
struct LostTradeTests {
    private static let trade = "2026112122001400000000000001"

    @Test(arguments: StoreEngine.available)
    func aPaymentOfALostTradeIsNotDecidedBeforeTwoPersonsHave(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            // Whatever the wallet does, nothing tells it that the payment was not taken.
            for _ in 0..<2 {
                // A wallet takes only a 409 for a decision.
                #expect(try await gateway.pay(Self.trade, "9.12", request: "r-1").errorCode == "not-found")
                #expect(try await gateway.link(.get, "payments/r-1").errorCode == "outcome-unknown")
                #expect(try await gateway.link(.delete, "payments/r-1").errorCode == "outcome-unknown")
            }
            #expect(try await gateway.link(.get, "payments/r-2").errorCode == "payment-unknown")
            let notices = try await gateway.server.notices.unmatchedNotices()
            let notice = try #require(notices.first)
            #expect(notices.count == 1 && notice.summary.contains("9.12 CNY") && notice.summary.contains(Self.trade))
            let people = try await TwoPersons(settling: gateway.server.notices, in: gateway.store.database, clock: gateway.clock)
            let done = try await people.settle(notice, "refuse")
            #expect(done.state == .done, "\(done.outcome ?? "")")
            #expect(try await gateway.pay(Self.trade, "9.12", request: "r-1").status == 409)
            #expect(try await gateway.link(.get, "payments/r-1").status == 409)
            #expect(try await gateway.link(.delete, "payments/r-1").status == 409)
            #expect(try await gateway.server.notices.unmatchedNotices().isEmpty)
        }
    }

    /// The wallet credits by the request's id, so that has to come out the same.
    @Test(arguments: StoreEngine.available) func aRefundThatTheBooksHaveLostIsCreditedOnce(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let whole = try await gateway.paid(gateway.modernOrder("M_1"))
            let part = try await gateway.paid(gateway.modernOrder("M_2"))
            let before = try await StoreSnapshot(of: gateway.store.database)
            for _ in 0..<2 {
                #expect(try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(whole)"}"#)["code"]?.string == "10000")
                for number in ["a", "b"] {
                    let refunded = try await gateway.modern(
                        "alipay.trade.refund", #"{"trade_no":"\#(part)","refund_amount":"4.00","out_request_no":"\#(number)"}"#)
                    #expect(refunded["code"]?.string == "10000" && refunded["fund_change"]?.string == "Y", "\(refunded)")
                }
                try await gateway.work()
                #expect(gateway.outside.credits.values.sorted() == ["10.00", "4.00", "4.00"])
                try await before.restore(in: gateway.store.database)
                gateway.clock.advance(by: .seconds(60))
            }
        }
    }
}
