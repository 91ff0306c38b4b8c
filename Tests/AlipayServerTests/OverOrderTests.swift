import Alipay
import BillfoldJSON
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import AlipayServer
@testable import WalletServer

/// An order that is opened again after it was paid, closed, given back or timed out: the wallet tells what the gateway knows, by either
/// way in (alipay.md#an-order-that-is-over).
@Suite(.serialized) struct OverOrderTests {
    static let channels = [Checkout.Channel.app, .page]

    /// Opens the order as a client that has nothing of the first visit, and returns what the checkout and its client are told.
    private static func opened(
        _ order: String, _ sides: BothSides, _ channel: Checkout.Channel
    ) async throws -> (token: String, checkout: Checkout, result: ClientResult) {
        let checkouts = sides.wallet.server.checkouts
        let token = try await checkouts.open(
            .text(order), channel: channel, scheme: nil, language: nil, texts: WalletTexts(.english))
        let checkout = try await checkouts.find(token)
        return (token, checkout, checkouts.result(of: checkout, texts: WalletTexts(.english)))
    }

    @Test(arguments: channels, [true, false]) func aPaidOrderIsToldAsPaid(_ channel: Checkout.Channel, isModern: Bool) async throws {
        try await BothSides.open { sides in
            let order =
                isModern
                ? try await sides.gateway.modernOrder("O_1") : try await sides.gateway.legacyOrder("O_1", with: [("it_b_pay", "15d")])
            let paid = try await sides.pay("O_1", order: order)
            let first = try await sides.wallet.server.checkouts.find(paid.token)
            let again = try await Self.opened(order, sides, channel)
            #expect(again.result.resultStatus == "9000" && again.checkout.state == .ended && again.checkout.trade == nil)
            #expect(again.result.result == first.result?.result)
            #expect(again.checkout.order.over?.code == "ALI38869" && again.checkout.order.over?.parameter == "out_trade_no")
            #expect(again.checkout.order.over?.order == "O_1")
            let keys: AlipayVerificationKeys
            if isModern {
                keys = try AlipayVerificationKeys(rsa2: await sides.gateway.gatewayKey(OrderGatewayHarness.appID))
            } else {
                keys = AlipayVerificationKeys(rsa: sides.gateway.keys.gatewayPartners.publicKey)
            }
            #expect(try PaymentResult(status: .paid, result: again.result.result).verified(by: keys).saysPaid)
            #expect(try await sides.expectEqualBooks().count == 1)
        }
    }

    @Test(arguments: channels) func aClosedOrderIsToldAsFailedWithItsReason(_ channel: Checkout.Channel) async throws {
        try await BothSides.open { sides in
            let order = try await sides.gateway.modernOrder("O_2")
            let begun = try await sides.wallet.begin(order)
            _ = try await sides.gateway.modern("alipay.trade.close", #"{"trade_no":"\#(begun.trade)"}"#)
            let again = try await Self.opened(order, sides, channel)
            #expect(again.result.resultStatus == "4000" && again.result.memo == "the order was closed before it was paid")
            #expect(again.checkout.order.over?.code == "T8912")
        }
    }

    @Test(arguments: channels) func anOrderPastItsTimeNamesTheParameter(_ channel: Checkout.Channel) async throws {
        try await BothSides.open { sides in
            let late = try await sides.gateway.modernOrder("O_3", extra: #","time_expire":"2026-11-21 03:30""#)
            let again = try await Self.opened(late, sides, channel)
            #expect(again.result.resultStatus == "4000" && again.result.memo.contains("2026-11-21 03:30"), "\(again.result)")
            #expect(again.checkout.order.over?.code == "T8912" && again.checkout.order.over?.parameter == "time_expire")

            // Its trade is not closed yet, and a payment that came in time may still be on its way: nobody says that it failed.
            let short = try await sides.gateway.modernOrder("O_4", extra: #","timeout_express":"5m""#)
            _ = try await sides.wallet.begin(short)
            sides.gateway.clock.advance(by: .seconds(301))
            let between = try await Self.opened(short, sides, channel)
            #expect(between.result.resultStatus == "8000" && between.checkout.order.over?.parameter == "timeout_express")
            try await sides.gateway.work()
            #expect(try await sides.wallet.status(between.token) == "4000")
        }
    }

    @Test(arguments: channels) func anOrderThatWasGivenBackIsLeftToTheShop(_ channel: Checkout.Channel) async throws {
        try await BothSides.open { sides in
            let order = try await sides.gateway.modernOrder("O_5")
            let paid = try await sides.pay("O_5", order: order)
            #expect(try await sides.refund(paid.trade, "10.00", "all") == "10000")
            let again = try await Self.opened(order, sides, channel)
            #expect(again.result.resultStatus == "6004" && again.checkout.order.over?.reason.contains("given back") == true)
        }
    }

    /// The gateway does not answer while the order is opened: that stays unknown, until somebody looks again.
    @Test func whatTheGatewayDidNotSayIsAskedAgain() async throws {
        try await BothSides.open { sides in
            let order = try await sides.gateway.modernOrder("O_6")
            _ = try await sides.pay("O_6", order: order)
            sides.toGateway.all("GET results", .answerLost)
            let again = try await Self.opened(order, sides, .page)
            #expect(again.result.resultStatus == "8000")
            sides.toGateway.heal()
            #expect(try await sides.wallet.status(again.token) == "9000")
            let asked = sides.toGateway.count("GET results")
            #expect(try await sides.wallet.status(again.token) == "9000")
            #expect(sides.toGateway.count("GET results") == asked, "it is known now")
        }
    }

    /// Two visits of one customer: the second comes to the password after the first has paid.
    @Test func aSecondVisitEndsByThePaymentOfTheFirst() async throws {
        try await BothSides.open { sides in
            let order = try await sides.gateway.modernOrder("O_7")
            let checkouts = sides.wallet.server.checkouts
            let late = try await checkouts.open(.text(order), channel: .page, scheme: nil, language: nil, texts: WalletTexts(.english))
            _ = try await sides.pay("O_7", order: order)
            let begun = try await sides.gateway.show(order)
            for buyer in [OrderGatewayHarness.buyer, "2088000000000025"] {
                let refused = try await sides.gateway.openTrade(try #require(begun["ref"]), buyer: buyer)
                #expect(refused.status == 409 && refused.errorCode == "ALI38869", "\(refused.body)")
                #expect(refused.json?["error"]?["subCode"]?.string == "ACQ.TRADE_HAS_SUCCESS")
            }
            await #expect(throws: WalletError.self) { try await sides.wallet.reach(late) }
            #expect(try await sides.wallet.status(late) == "9000")
            #expect(try await sides.expectEqualBooks().count == 1)
        }
    }

    /// The number of an order of another amount: the refusal names the parameter and leads to the story, in test mode.
    @Test func aReusedNumberNamesItsParameter() async throws {
        try await OrderGatewayHarness.open { gateway in
            _ = try await gateway.begin(try await gateway.modernOrder("O_8"))
            let refused = try await gateway.show(try await gateway.modernOrder("O_8", amount: "11.00")).json?["error"]
            #expect(refused?["code"]?.string == "ALIN42282" && refused?["subCode"]?.string == "ACQ.CONTEXT_INCONSISTENT")
            #expect(refused?["parameter"]?.string == "out_trade_no" && refused?["order"]?.string == "O_8")
        }
    }
}
