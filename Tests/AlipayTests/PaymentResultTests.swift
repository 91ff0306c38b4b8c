import Alipay
import BillfoldJSON
import Foundation
import Testing

struct PaymentResultTests {
    private let gateway = TestParty.gateway

    private func order(_ changes: [String: String?] = [:], charset: AlipayCharset = .utf8) async throws -> VerifiedLegacyOrder {
        try await LegacyOrder.signed(Sample.changed(changes), charset: charset, by: TestParty.merchant.rsa)
            .verified(by: TestParty.merchant.keys)
    }

    @Test(arguments: AlipayCharset.allCases) func legacyResultIsTheOrderAndItsSuccess(charset: AlipayCharset) async throws {
        let order = try await order(["_input_charset": charset.rawValue], charset: charset)
        let result = try await PaymentResult.legacy(paying: order, by: gateway.rsa)
        #expect(result.generation == .legacy)
        #expect(result.result.contains(#"&success="true"&sign_type="RSA"&sign=""#))
        let verified = try result.verified(by: gateway.keys)
        #expect(verified.saysPaid)
        #expect(verified.outTradeNo == "T20260101-0001")
        #expect(verified["subject"] == "茶 Tea")
        #expect(verified.tradeNo == nil)
        #expect(verified.isResult(of: order))
        #expect(verified.isResult(of: try await self.order(["total_fee": "10.01"])) == false)
        #expect(verified.algorithm == .rsa)
    }

    @Test func legacyResultIsNotBelievedWhenItChanges() async throws {
        let result = try await PaymentResult.legacy(paying: order(), by: gateway.rsa)
        for (from, to) in [("10.00", "99.00"), (#"success="true""#, #"success="tru""#), ("0001", "0002")] {
            var changed = result
            changed.result = result.result.replacing(from, with: to)
            #expect(throws: refused(.signatureMismatch)) { try changed.verified(by: gateway.keys) }
        }
        var appended = result
        appended.result += #"&total_amount="1""#
        #expect(throws: refused(.uncoveredParameter)) { try appended.verified(by: gateway.keys) }
        // The merchant's own signature says nothing of a payment.
        #expect(throws: refused(.signatureMismatch)) { try result.verified(by: TestParty.merchant.keys) }
        for bad in [#"a="1""#, #"sign_type="RSA"&sign="A""#, #"a="1"&sign_type="RSA""#, #"a="1"&sign="A""#] {
            #expect(throws: refused(.missingSignature)) { try PaymentResult(status: .paid, result: bad).verified(by: gateway.keys) }
        }
        #expect(throws: refused(.malformed)) { try PaymentResult(status: .paid, result: "nonsense").verified(by: gateway.keys) }
        #expect(throws: refused(.missingSignature)) { try PaymentResult(status: .cancelled).verified(by: gateway.keys) }
        #expect(throws: refused(.tooLarge)) {
            try PaymentResult(status: .paid, result: String(repeating: "a", count: 10_000_000)).verified(by: gateway.keys)
        }
    }

    @Test func modernResultIsVerifiedOverTheExactNode() async throws {
        let result = try await PaymentResult.modern(
            [
                "code": "10000", "msg": "Success", "app_id": "1", "out_trade_no": "T/1", "trade_no": "2026", "total_amount": "0.01",
                "seller_id": nil,
            ],
            by: gateway.rsa2)
        #expect(result.generation == .modern)
        let verified = try result.verified(by: gateway.keys)
        #expect(verified.saysPaid)
        #expect(verified.outTradeNo == "T/1")
        #expect(verified.tradeNo == "2026")
        #expect(verified.isResult(of: try await order()) == false)
        var changed = result
        changed.result = result.result.replacing("T/1", with: #"T\/1"#)
        #expect(throws: refused(.signatureMismatch)) { try changed.verified(by: gateway.keys) }
        // A page that the app's kit took over answers by its own name; the name is no part of what is signed.
        changed.result = result.result.replacing("alipay_trade_app_pay_response", with: "alipay_trade_wap_pay_response")
        #expect(try changed.verified(by: gateway.keys).saysPaid)
        #expect(try PaymentResult(text: changed.result).verified(by: gateway.keys).outTradeNo == "T/1")
        changed.result = result.result.replacing("alipay_trade_app_pay_response", with: "alipay_trade_pay_response")
        #expect(throws: refused(.otherMessage)) { try changed.verified(by: gateway.keys) }
        changed.result = result.result.replacing("RSA2", with: "MD5")
        #expect(throws: refused(.unsupportedSignType)) { try changed.verified(by: gateway.keys) }
        changed.result = result.result.replacing("RSA2", with: "DSA")
        #expect(throws: refused(.unsupportedSignType)) { try changed.verified(by: gateway.keys) }
        changed.result = result.result.replacing(#","sign_type":"RSA2""#, with: "")
        #expect(try changed.verified(by: gateway.keys).algorithm == .rsa2)
        let failed = try await PaymentResult.modern(["code": "40004"], by: gateway.rsa2).verified(by: gateway.keys)
        #expect(!failed.saysPaid)
    }

    @Test func resultTravelsThroughTheURLUnharmed() async throws {
        for result in [
            try await PaymentResult.legacy(paying: order(), by: gateway.rsa),
            try await PaymentResult.modern(["code": "10000", "memo": "a+b \"c\" \\ / % # ? é"], by: gateway.rsa2),
            PaymentResult(status: .cancelled, memo: "用户\n中途\t取消\u{1}"),
        ] {
            let url = SafepayURL(scheme: "billfoldShop", result: result)
            #expect(try SafepayURL(url.description) == url)
            #expect(URL(string: url.description)?.absoluteString == url.description)
            #expect(SafepayURL.isSafepay(url.description))
        }
        #expect(!SafepayURL.isSafepay("shop://other/?x"))
        #expect(!SafepayURL.isSafepay("nonsense"))
    }

    @Test(arguments: [
        ("", AlipayError.Code.malformed), ("shop://safepay/", .malformed), ("shop://other/?%7B%7D", .malformed),
        ("shop://safepay/?%7", .malformed),
        ("shop://safepay/?%FF", .unencodableText), ("shop://safepay/?x", .malformedJSON), ("shop://safepay/?%7B%7D", .missingParameter),
        ("shop://safepay/?%7B%22memo%22:%7B%7D%7D", .missingParameter),
        ("shop://safepay/?%7B%22requestType%22:%22other%22%7D", .malformed),
    ]) func brokenReturnURLIsRefused(url: String, code: AlipayError.Code) {
        #expect(throws: refused(code)) { try SafepayURL(url) }
    }

    @Test func resultsAreReadInEverySpelling() throws {
        let json = try PaymentResult(text: #"{"resultStatus":"9000","memo":"","result":"r","extendInfo":{"a":1}}"#)
        #expect(json == PaymentResult(status: .paid, result: "r"))
        #expect(try PaymentResult(AlipayJSON.read(json.json.text)) == json)
        #expect(try PaymentResult(text: #"{"ResultStatus":6001}"#).status == .cancelled)
        #expect(
            try PaymentResult(text: "resultStatus={9000};memo={};result={a=\"1}\"}") == PaymentResult(status: .paid, result: "a=\"1}\""))
        #expect(try PaymentResult(text: "resultStatus={4000}").status == .failed)
        #expect(try PaymentResult(text: "partner=\"1\"").result == "partner=\"1\"")
        let modern = #"{"alipay_trade_app_pay_response":{},"sign":""}"#
        #expect(try PaymentResult(text: modern).result == modern)
        #expect(throws: refused(.missingParameter)) { try PaymentResult(text: "{}") }
        #expect(throws: refused(.malformed)) { try PaymentResult(text: "resultStatus={9000};memo") }
        #expect(throws: refused(.tooLarge)) { try PaymentResult(text: String(repeating: "a", count: 10_000_000)) }
        let stored = try JSONDecoder().decode(PaymentResult.self, from: JSONEncoder().encode(json))
        #expect(stored == json)
    }

    @Test func statusSaysWhatToDo() {
        #expect(AlipayResultStatus.paid.action == .verify)
        for status in [AlipayResultStatus.processing, .networkError, .unknown, .repeatedRequest, .init(rawValue: "1234")] {
            #expect(status.action == .query, "\(status)")
        }
        #expect(AlipayResultStatus.cancelled.action == .backToOrder)
        for code in ["4000"] + AlipayResultStatus.legacyFailures { #expect(AlipayResultStatus(rawValue: code).action == .retry) }
    }

    // MARK: The way there

    @Test func orderTravelsToTheWalletUnharmed() async throws {
        let order = text(try await LegacyOrder.signed(Sample.crossBorder, by: TestParty.merchant.rsa).bytes)
        let url = AppSwitchURL(order: order, returnScheme: "billfoldShop")
        #expect(url.description.hasPrefix("alipay://alipayclient/?%7B%22requestType%22%3A%22SafePay%22"))
        #expect(try AppSwitchURL(url.description) == url)
        var older = AppSwitchURL(order: order, returnScheme: "x", walletScheme: "alipays")
        older.form = .startApp
        older.returnScheme = nil
        #expect(older.description.hasPrefix("alipays://platformapi/startApp?appId=20000125&orderSuffix=service%3D%22"))
        #expect(try AppSwitchURL(older.description) == older)
        let route = #"{"requestType":"SafePay","fromAppUrlScheme":"alipays","dataString":"h5_route_token=\"RZ0\"&is_h5_route=\"true\""}"#
        let page = try AppSwitchURL(
            "alipay://alipayclient/?" + #require(route.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))
        #expect(page.order == #"h5_route_token="RZ0"&is_h5_route="true""#)
        #expect(page.returnScheme == "alipays")
    }

    @Test(arguments: [
        ("https://alipayclient/?%7B%7D", AlipayError.Code.malformed), ("alipay://other/?%7B%7D", .malformed),
        ("alipay://alipayclient/?%7B%7D", .malformed),
        ("alipay://alipayclient/?%7B%22requestType%22:%22SafePay%22%7D", .missingParameter),
        ("alipays://platformapi/startApp?appId=1", .missingParameter),
        ("alipays://platformapi/startApp?appId", .malformed), ("alipay://alipayclient/?[", .malformedJSON),
    ]) func brokenSwitchURLIsRefused(url: String, code: AlipayError.Code) {
        #expect(throws: refused(code)) { try AppSwitchURL(url) }
    }

    @Test func hugeURLsAreRefusedAtOnce() {
        let filling = String(repeating: "a", count: 10_000_000)
        #expect(throws: refused(.tooLarge)) { try SafepayURL("shop://safepay/?" + filling) }
        #expect(throws: refused(.tooLarge)) { try AppSwitchURL("alipay://alipayclient/?" + filling) }
    }
}
