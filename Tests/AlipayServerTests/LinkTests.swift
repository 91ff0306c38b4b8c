import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

struct LinkTests {
    /// Rows of earlier versions read back, and what is stored now is what they hold.
    @Test func anAnswerIsStoredAsItAlwaysWas() throws {
        let money = LinkAnswer.Money(try Amount("10.00", currency: .cny))
        let order = LinkAnswer.Order(
            ref: "m/o", generation: "modern", merchant: .init(name: "Té \"2\"", id: "2088"), subject: "a/b", body: nil, price: money,
            payable: money, rate: nil, returnURL: "https://shop.example/?a=1", state: "new", expiresAt: 7)
        let opened = LinkAnswer.Opened(tradeNo: "1", state: "WAIT_BUYER_PAY", expiresAt: -1, payable: money)
        let amount = #"{"currency":"CNY","value":"10.00"}"#
        let orderText =
            #"{"expiresAt":7,"generation":"modern","merchant":{"id":"2088","name":"Té \"2\""},"payable":\#(amount),"price":\#(amount),"#
            + #""ref":"m/o","returnURL":"https://shop.example/?a=1","state":"new","subject":"a/b"}"#
        let tradeText = #"{"expiresAt":-1,"payable":\#(amount),"state":"WAIT_BUYER_PAY","tradeNo":"1"}"#
        for (answer, stored, body) in [
            (LinkAnswer.order(order), #"{"order":{"_0":\#(orderText)}}"#, orderText as String?),
            (.trade(opened), #"{"trade":{"_0":\#(tradeText)}}"#, tradeText), (.paid(tradeNo: "1"), #"{"paid":{"tradeNo":"1"}}"#, nil),
        ] {
            let text = try answer.text()
            #expect(String(decoding: text.stored, as: UTF8.self) == stored)
            #expect(text.body.map { String(decoding: $0, as: UTF8.self) } == body)
            #expect(try JSONDocument.decode(LinkAnswer.self, Array(stored.utf8)) == answer)
        }
    }

    @Test(arguments: StoreEngine.available) func aLegacyOrderIsPaid(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let shown = try await gateway.show(try await gateway.legacyOrder("L_1"))
            #expect(shown.status == 200, "\(shown.body)")
            #expect(shown["state"] == "new")
            #expect(shown.json?["merchant"]?["name"]?.string == "Two Leaves Tea")
            // The order alone makes no trade.
            let early = try await gateway.modern("alipay.trade.query", #"{"out_trade_no":"L_1"}"#)
            #expect(early["sub_code"]?.string == "ACQ.TRADE_NOT_EXIST")
            let opened = try await gateway.openTrade(try #require(shown["ref"]))
            let tradeNo = try #require(opened["tradeNo"])
            #expect(opened["state"] == "WAIT_BUYER_PAY")
            #expect(tradeNo.count == 28 && tradeNo.hasPrefix("20261121"))
            let paid = try await gateway.pay(tradeNo, "10.00", request: "r-1")
            #expect(paid.status == 200, "\(paid.body)")
            #expect(paid["state"] == "TRADE_SUCCESS")
            let result = PaymentResult(
                status: .paid, result: try #require(paid.json?["result"]?["result"]?.string))
            let verified = try result.verified(by: AlipayVerificationKeys(rsa: gateway.keys.gatewayPartners.publicKey))
            #expect(verified.saysPaid)
            #expect(verified.outTradeNo == "L_1")
            #expect(try await gateway.link(.get, "payments/r-1").bytes == paid.bytes)
            #expect(try await gateway.link(.get, "results/\(shown["ref"] ?? "")")["resultStatus"] == "9000")
            #expect(
                try await gateway.balance(OrderGatewayHarness.domestic) == [
                    "wallet:ALIPAY_CN CNY": "10.00", "merchant:2088000000000101 CNY": "-9.94", "fees CNY": "-0.06",
                ])
            let books = try await gateway.link(.get, "books?day=2026-11-21")
            #expect(books.json?["entries"]?.array?.first?["requestId"]?.string == "r-1")
        }
    }

    @Test func aModernOrderIsPaid() async throws {
        try await OrderGatewayHarness.open { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("M_1"))
            let paid = try await gateway.pay(begun.tradeNo, "10.00", request: "r-1")
            let result = PaymentResult(status: .paid, result: try #require(paid.json?["result"]?["result"]?.string))
            let key = try await gateway.gatewayKey(OrderGatewayHarness.appID)
            let verified = try result.verified(by: AlipayVerificationKeys(rsa2: key))
            #expect(verified.saysPaid)
            #expect(verified.tradeNo == begun.tradeNo)
            #expect(verified["total_amount"] == "10.00")
        }
    }

    @Test(arguments: StoreEngine.available) func aCrossBorderOrderIsPaidInYuan(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let order = try await gateway.legacyOrder("X_1", partner: OrderGatewayHarness.crossBorder)
            let begun = try await gateway.begin(order)
            #expect(begun.payable == "9.12")
            let paid = try await gateway.pay(begun.tradeNo, "9.12", request: "r-1")
            #expect(paid["state"] == "TRADE_FINISHED")
            #expect(
                try await gateway.balance(OrderGatewayHarness.crossBorder) == [
                    "wallet:ALIPAY_CN CNY": "9.12", "exchange-position CNY": "-9.12", "exchange-position HKD": "10.00",
                    "merchant:2088000000000202 HKD": "-10.00",
                ])
        }
    }

    @Test(arguments: StoreEngine.available) func aHundredEqualRequestsAreOnePayment(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("H_1"))
            let answers = try await withThrowingTaskGroup(of: OrderGatewayHarness.Answer.self) { group in
                for _ in 0..<100 { group.addTask { try await gateway.pay(begun.tradeNo, "10.00", request: "same") } }
                return try await group.reduce(into: [OrderGatewayHarness.Answer]()) { $0.append($1) }
            }
            #expect(Set(answers.map(\.status)) == [200], "\(answers.first { $0.status != 200 }?.body ?? "")")
            #expect(Set(answers.map(\.bytes)).count == 1)
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "10.00")
        }
    }

    @Test func aRequestIsKnownByItsID() async throws {
        try await OrderGatewayHarness.open { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("I_1"))
            #expect(try await gateway.link(.get, "payments/r-1").errorCode == "payment-unknown")
            let first = try await gateway.pay(begun.tradeNo, "10.00", request: "r-1")
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "r-1").bytes == first.bytes)
            let other = try await gateway.pay(begun.tradeNo, "9.00", request: "r-1")
            #expect(other.status == 409)
            #expect(other.errorCode == "request-id-reused")
            // Another payment of the same trade has to give its money back.
            let second = try await gateway.pay(begun.tradeNo, "10.00", request: "r-2")
            #expect(second.status == 409)
            #expect(second.errorCode == "ALI38869" && second.json?["error"]?["subCode"]?.string == "ACQ.TRADE_HAS_SUCCESS")
            #expect(try await gateway.link(.get, "payments/r-2").bytes == second.bytes)
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "10.00")
        }
    }

    @Test func paymentsThatDoNotFitAreRefused() async throws {
        try await OrderGatewayHarness.open { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("F_1"))
            #expect(try await gateway.pay(begun.tradeNo, "9.99", request: "a").errorCode == "amount-differs")
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "b", buyer: "2088000000000025").errorCode == "ALIN10023")
            #expect(try await gateway.pay("2026112122000000000000000000", "10.00", request: "c").status == 404)
            #expect(try await gateway.openTrade(begun.ref, buyer: "2088000000000025").errorCode == "ALIN10023")
            let again = try await gateway.openTrade(begun.ref)
            #expect(again["tradeNo"] == begun.tradeNo)
            #expect(try await gateway.send(.get, "/link/v1/payments/a", bearer: "wrong").status == 401)
            gateway.clock.advance(by: .seconds(16 * 86_400))
            #expect(try await gateway.pay(begun.tradeNo, "10.00", request: "d").errorCode == "T8912")
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == [:])
        }
    }

    /// Pay, close, cancel and expiry race: one wins, and money is never lost.
    @Test(arguments: StoreEngine.available) func onlyOneOfPayAndCloseWins(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            for round in 0..<12 {
                let begun = try await gateway.begin(try await gateway.modernOrder("R_\(round)", extra: #","timeout_express":"5m""#))
                if round % 3 == 2 { gateway.clock.advance(by: .seconds(299)) }
                async let paying = gateway.pay(begun.tradeNo, "10.00", request: "r-\(round)")
                async let other: Void = {
                    switch round % 3 {
                    case 0: _ = try await gateway.modern("alipay.trade.close", #"{"trade_no":"\#(begun.tradeNo)"}"#)
                    case 1:
                        // Whichever comes first, a cancel ends the trade.
                        let cancelled = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(begun.tradeNo)"}"#)
                        #expect(cancelled["code"]?.string == "10000", "\(cancelled)")
                    default:
                        gateway.clock.advance(by: .seconds(2))
                        _ = try await gateway.server.deadlineWorker.runOnce()
                    }
                }()
                let paid = try await paying
                try await other
                let trade = try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(begun.tradeNo)"}"#)
                let status = try #require(trade["trade_status"]?.string)
                if paid.status == 200 {
                    // A cancel behind the payment gives it back.
                    #expect(status == (round % 3 == 1 ? "TRADE_CLOSED" : "TRADE_SUCCESS"), "\(round): \(status)")
                } else {
                    #expect(paid.status == 409)
                    #expect(status == "TRADE_CLOSED", "\(round)")
                }
            }
            try await gateway.work()
            let owed = try await gateway.balance(OrderGatewayHarness.domestic)
            let books = try await gateway.link(.get, "books?day=2026-11-21").json?["entries"]?.array ?? []
            var sum: Int64 = 0
            for entry in books {
                let amount = try Amount(try #require(entry["amount"]?["value"]?.string), currency: .cny).minorUnits
                sum += entry["kind"]?.string == "payment" ? amount : -amount
            }
            #expect(owed["wallet:ALIPAY_CN CNY", default: "0.00"] == Amount(minorUnits: sum, currency: .cny).text)
        }
    }

    @Test func aWrongSignatureShowsTheTextThatWasVerified() async throws {
        try await OrderGatewayHarness.open { gateway in
            let legacy = try await gateway.show(try await gateway.legacyOrder("W_1", key: gateway.keys.stranger))
            #expect(legacy.status == 403)
            #expect(legacy.errorCode == "ALI40247")
            #expect(legacy.json?["error"]?["verifiedText"]?.string?.contains(#"out_trade_no="W_1""#) == true)
            let tampered = try await gateway.legacyOrder("W_2").replacing(#"total_fee="10.00""#, with: #"total_fee="1.00""#)
            #expect(try await gateway.show(tampered).errorCode == "ALI40247")
            let modern = try await gateway.modernText(
                "alipay.trade.query", #"{"out_trade_no":"<W&3>"}"#, signer: AlipayRSASigner.rsa2(gateway.keys.stranger))
            let answer = try await gateway.send(.get, "/gateway.do?\(modern)")
            let node = try #require(answer.json?["alipay_trade_query_response"])
            #expect(node["code"]?.string == "40002")
            #expect(node["sub_code"]?.string == "isv.invalid-signature")
            #expect(
                node["sub_msg"]?.string?.contains(
                    "app_id=2021000000000101&amp;biz_content={&quot;out_trade_no&quot;:&quot;&lt;W&amp;3&gt;&quot;}") == true)
            #expect(answer.json?["sign"] == nil)
        }
    }

    @Test(
        arguments: [
            ("partner", "2088999999999999", "ALIN10129"), ("total_fee", "0.001", "ALIN42273"), ("total_fee", "1e2", "ALIN42273"),
            ("total_fee", "-1", "ALIN42273"), ("total_fee", "10", "ALIN42273"), ("currency", "HKD", "ALIN42273"),
            ("seller_id", "2088000000000999", "ALIN42273"), ("notify_url", "http://10.0.0.1/notify", "ALIN42273"),
            ("notify_url", "https://169.254.169.254/latest", "ALIN42273"), ("notify_url", "https://2130706433/x", "ALIN42273"),
            ("notify_url", "http://127.0.0.1:9101/x", "ALIN42273"), ("it_b_pay", "1.5h", "ALIN42273"),
            ("subject", "cheap out_trade_no", "ALIN43911"), ("out_trade_no", "a b", "ALIN42273"), ("payment_type", "2", "ALIN42273"),
            ("service", "mobile.securitypay.other", "ALIN42273"),
        ] as [(String, String, String)])
    func aWrongOrderIsRefusedByItsCode(_ name: String, _ value: String, _ code: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let answer = try await gateway.show(try await gateway.legacyOrder("B_1", with: [(name, value)]))
            #expect(answer.errorCode == code, "\(name) \(value) \(answer.body)")
            #expect(answer.status == 403)
            #expect(
                try await gateway.store.database.read {
                    try TradeRecords.latest(MerchantID(OrderGatewayHarness.domestic), limit: 1, in: $0)
                }
                    == [])
        }
    }

    @Test func whoeverSellsCannotPay() async throws {
        try await OrderGatewayHarness.open { gateway in
            let shown = try await gateway.show(try await gateway.modernOrder("S_1"))
            let answer = try await gateway.openTrade(try #require(shown["ref"]), buyer: OrderGatewayHarness.domestic)
            #expect(answer.status == 409 && answer.errorCode == "buyer-is-seller")
            #expect(answer.json?["error"]?["subCode"]?.string == "ACQ.BUYER_SELLER_EQUAL")
        }
    }

    @Test(arguments: ["/link/v1/orders", "/link/v1/trades", "/link/v1/payments", "/onboarding/v1/merchants"])
    func aBodyThatIsTooLargeIsRefusedInJSON(_ path: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let key = path.hasPrefix("/link") ? OrderGatewayHarness.walletKey : OrderGatewayHarness.onboardingKey
            let body = #"{"requestId":"\#(String(repeating: "x", count: 300_000))"}"#
            let answer = try await gateway.send(.post, path, body, bearer: key)
            #expect(answer.status == 413 && answer.errorCode == "body-too-large", "\(answer.body)")
            #expect(answer.headers[.contentType]?.hasPrefix("application/json") == true)
        }
    }

    @Test func ordersThatCannotBeReadAreRefused() async throws {
        try await OrderGatewayHarness.open { gateway in
            for text in [
                "partner=\"2088000000000101", "nonsense", #"partner="1"&partner="2"&sign="a"&sign_type="RSA""#,
                String(repeating: "x", count: 60_000),
            ] {
                let answer = try await gateway.show(text)
                #expect(answer.status == 403 || answer.status == 400, "\(answer.body)")
                #expect(
                    answer.errorCode == "ALI38173" || answer.errorCode == "malformed-request" || answer.errorCode == "ALI40247",
                    "\(answer.body)")
            }
            // A parameter behind the signature is not covered by it.
            let trailing = try await gateway.legacyOrder("T_1") + #"&secondary_merchant_id="77""#
            let answer = try await gateway.show(trailing)
            #expect(answer.errorCode == "ALI40247", "\(answer.body)")
            #expect(answer.json?["error"]?["reason"]?.string?.contains("secondary_merchant_id") == true)
        }
    }

    @Test func aDomesticOrderOfACrossBorderPartnerIsRefused() async throws {
        try await OrderGatewayHarness.open { gateway in
            let order = try await gateway.legacyOrder(
                "P_1", partner: OrderGatewayHarness.crossBorder, with: [("currency", nil), ("forex_biz", nil), ("product_code", nil)])
            #expect(try await gateway.show(order).errorCode == "ALIN43877")
            let other = try await gateway.legacyOrder("P_2", partner: OrderGatewayHarness.crossBorder, with: [("currency", "USD")])
            #expect(try await gateway.show(other).errorCode == "ALIN42273")
        }
    }

    /// A merchant signs the second attempt anew: the payer's app compares the result with the string that it sent last.
    @Test(arguments: StoreEngine.available) func theResultSpeaksOfTheOrderThatWasShownLast(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let first = try await gateway.begin(try await gateway.legacyOrder("R_1"))
            let again = try await gateway.legacyOrder("R_1", with: [("body", "green tea, the second attempt")])
            let second = try await gateway.begin(again)
            #expect(second.tradeNo == first.tradeNo && second.ref != first.ref)
            let paid = try await gateway.pay(second.tradeNo, second.payable, request: "pay-1")
            let result = try #require(paid.json?["result"]?["result"]?.string)
            #expect(result.contains("the second attempt"))
            #expect(try await gateway.link(.get, "results/\(second.ref)")["result"] == result)
        }
    }

    /// What the gateway remembers of a trade decides nothing that the trade's row does not say as well.
    @Test(arguments: StoreEngine.available) func aTradeThatChangedSinceItWasOpenedIsReadAnew(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let trades = gateway.server.context.trades
            let first = try await gateway.begin(try await gateway.legacyOrder("R_1"))
            // The register gives what it remembers once.
            let earlier = try #require(try await trades.openedTrade(first.tradeNo))
            #expect(try await gateway.store.database.read { try TradeRecords.find(tradeNo: first.tradeNo, in: $0) } == earlier)
            trades.remember(earlier)
            let second = try await gateway.begin(
                try await gateway.legacyOrder("R_1", with: [("body", "green tea, the second attempt")]))
            let later = try #require(try await trades.openedTrade(first.tradeNo))
            #expect(later.version == earlier.version + 1)
            trades.remember(earlier)
            let paid = try await gateway.pay(first.tradeNo, second.payable, request: "pay-1")
            #expect(try #require(paid.json?["result"]?["result"]?.string).contains("the second attempt"), "\(paid.body)")

            // It was paid since: with the same request it is the same payment, with another one money comes back.
            trades.remember(earlier)
            #expect(try await gateway.pay(first.tradeNo, second.payable, request: "pay-1").bytes == paid.bytes)
            trades.remember(earlier)
            let twice = try await gateway.pay(first.tradeNo, second.payable, request: "pay-2")
            #expect(twice.status == 409 && twice.json?["error"]?["subCode"]?.string == "ACQ.TRADE_HAS_SUCCESS", "\(twice.body)")
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "10.00")

            // What was remembered would refuse, and the row does not.
            let open = try await gateway.begin(try await gateway.modernOrder("R_3"))
            var wrong = try #require(try await trades.openedTrade(open.tradeNo))
            wrong.status = .closed
            trades.remember(wrong)
            #expect(try await gateway.pay(open.tradeNo, "10.00", request: "pay-4").status == 200)

            let closed = try await gateway.begin(try await gateway.modernOrder("R_2"))
            _ = try await gateway.modern("alipay.trade.close", #"{"trade_no":"\#(closed.tradeNo)"}"#)
            let shown = try #require(try await trades.openedTrade(closed.tradeNo))
            #expect(shown.status == .waitBuyerPay)
            trades.remember(shown)
            #expect(try await gateway.pay(closed.tradeNo, "10.00", request: "pay-3").status == 409)
        }
    }

    @Test func anOrderWithoutQuotationMarksHasNoSignedResult() async throws {
        try await OrderGatewayHarness.open { gateway in
            let order = try await LegacyServiceRequest.signed(
                [
                    ("service", "mobile.securitypay.pay"), ("partner", OrderGatewayHarness.domestic), ("_input_charset", "utf-8"),
                    ("notify_url", OrderGatewayHarness.notify), ("out_trade_no", "HK_1"), ("subject", "tea"), ("payment_type", "1"),
                    ("seller_id", OrderGatewayHarness.domestic), ("total_fee", "10.00"),
                ], by: AlipayMD5Signer(key: Secret(OrderGatewayHarness.md5)))
            let text = order.parameters.entries.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: "&")
            let begun = try await gateway.begin(text)
            let paid = try await gateway.pay(begun.tradeNo, begun.payable, request: "pay-1")
            #expect(paid.json?["result"]?["resultStatus"]?.string == "9000" && paid.json?["result"]?["result"]?.string == "")
        }
    }

    @Test func aNumberStandsForOneOrder() async throws {
        try await OrderGatewayHarness.open { gateway in
            let begun = try await gateway.begin(try await gateway.modernOrder("N_1"))
            let other = try await gateway.show(try await gateway.modernOrder("N_1", amount: "11.00"))
            #expect(other.errorCode == "ALIN42282")
            let again = try await gateway.show(try await gateway.modernOrder("N_1"))
            #expect(again["state"] == "open")
            _ = try await gateway.pay(begun.tradeNo, "10.00", request: "r")
            #expect(try await gateway.show(try await gateway.modernOrder("N_1"))["state"] == "paid")
        }
    }

    @Test func aTradeEndsByItsOwnClock() async throws {
        try await OrderGatewayHarness.open { gateway in
            let shown = try await gateway.show(try await gateway.legacyOrder("E_1", with: [("it_b_pay", "30m")]))
            // The clock starts with the trade, not with the order.
            gateway.clock.advance(by: .seconds(3_600))
            let opened = try await gateway.openTrade(try #require(shown["ref"]))
            let tradeNo = try #require(opened["tradeNo"], "\(opened.body)")
            gateway.clock.advance(by: .seconds(1_790))
            try await gateway.work()
            #expect(
                try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(tradeNo)"}"#)["trade_status"]?.string == "WAIT_BUYER_PAY")
            gateway.clock.advance(by: .seconds(11))
            try await gateway.work()
            #expect(
                try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(tradeNo)"}"#)["trade_status"]?.string == "TRADE_CLOSED")
            #expect(gateway.outside.notifications.count == 1)
            let expired = try await gateway.show(try await gateway.modernOrder("E_2", extra: #","time_expire":"2026-11-21 04:30""#))
            #expect(expired["state"] == "closed")
            #expect(try await gateway.openTrade(try #require(expired["ref"])).errorCode == "T8912")
        }
    }
}

extension OrderGatewayHarness {
    /// The gateway's key for an application, as onboarding gives it out.
    func gatewayKey(_ appID: String) async throws -> LegacyRSAPublicKey {
        let application = try #require(try await server.context.merchants.application(appID))
        let bytes = try server.context.configuration.keys.sealer.open(
            application.application.sealedGatewayKey, context: MerchantRegister.context(application: appID))
        return try LegacyRSAPrivateKey(der: bytes).publicKey
    }
}
