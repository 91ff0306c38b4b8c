import Alipay
import BillfoldJSON
import BillfoldMoney
import Foundation
import Testing

struct ModernRequestTests {
    private let app = TestParty.merchant

    private func order(
        _ content: String = #"{"out_trade_no":"T1","total_amount":"0.01","subject":"茶 1","product_code":"QUICK_MSECURITY_PAY"}"#,
        charset: AlipayCharset = .utf8, _ extra: [(name: String, value: String)] = []
    ) async throws -> ModernOrder {
        try await ModernOrder.signed(
            [
                ("app_id", "2026000000000001"), ("method", TradeAppPay.method), ("timestamp", "2026-01-01 00:00:00"), ("version", "1.0"),
                ("biz_content", content),
            ] + extra, charset: charset, by: app.rsa2)
    }

    @Test func orderComesBackAsItWasSigned() async throws {
        let made = try await order()
        let read = try ModernOrder(bytes(made.text))
        let verified = try read.verified(by: app.keys)
        #expect(verified.method == TradeAppPay.method)
        #expect(verified.appID == "2026000000000001")
        #expect(verified["charset"] == "utf-8")
        #expect(verified["sign"] == nil)
        #expect(verified.algorithm == .rsa2)
        #expect(read.method == verified.method)
        #expect(read.appID == verified.appID)
        #expect(text(verified.signedBytes).hasPrefix("app_id=2026000000000001&biz_content={"))
        let pay = try TradeAppPay(verified)
        #expect(pay.outTradeNo == "T1")
        #expect(pay.totalAmount == Amount(minorUnits: 1, currency: .cny))
        #expect(pay.subject == "茶 1")
    }

    @Test func spacesTravelAsPlus() async throws {
        let made = try await order()
        #expect(made.text.contains("timestamp=2026-01-01+00%3A00%3A00"))
        #expect(try ModernOrder(bytes(made.text.replacing("+", with: "%20"))).verified(by: app.keys).appID != nil)
    }

    @Test func changedOrMissingParametersDoNotVerify() async throws {
        let made = try await order().text
        for change in [
            made.replacing("0.01", with: "0.02"), made.replacing("version=1.0", with: "version=1.1"), made + "&extra=1",
            made.replacing("&version=1.0", with: ""), made.replacing("sign_type=RSA2", with: "sign_type=RSA"),
        ] {
            #expect(throws: refused(.signatureMismatch)) { try ModernOrder(bytes(change)).verified(by: app.keys) }
        }
        #expect(throws: refused(.missingSignature)) {
            try ModernOrder(bytes(String(made[..<(made.range(of: "&sign=")?.lowerBound ?? made.endIndex)]))).verified(by: app.keys)
        }
        #expect(throws: refused(.missingSignType)) {
            try ModernOrder(bytes(made.replacing("&sign_type=RSA2", with: ""))).verified(by: app.keys)
        }
        #expect(throws: refused(.unsupportedSignType)) {
            try ModernOrder(bytes(made.replacing("sign_type=RSA2", with: "sign_type=MD5"))).verified(by: app.keys)
        }
        #expect(throws: refused(.duplicateKey)) { try ModernOrder(bytes(made + "&app_id=1")) }
        #expect(throws: refused(.unsupported)) { try ModernOrder(bytes(made.replacing("charset=utf-8", with: "charset=latin1"))) }
        // An empty parameter is covered by nothing, and believed by nobody.
        #expect(try ModernOrder(bytes(made + "&extra=")).verified(by: app.keys)["extra"] == nil)
    }

    @Test func whatCannotBeSignedIsRefused() async throws {
        await #expect(throws: refused(.unsupportedSignType)) { try await ModernOrder.signed([("a", "1")], by: app.md5) }
        await #expect(throws: refused(.invalidParameter)) {
            try await ModernOrder.signed([("charset", "gbk")], charset: .utf8, by: app.rsa2)
        }
        await #expect(throws: refused(.invalidParameter)) { try await ModernOrder.signed([("sign_type", "RSA")], by: app.rsa2) }
        #expect(try await ModernOrder.signed([("a", "1"), ("empty", ""), ("sign", "old")], by: app.rsa2).parameters.entries.count == 4)
    }

    @Test func contentIsTyped() async throws {
        let content =
            #"{"out_trade_no":"T1","total_amount":8.88,"subject":"茶","product_code":"QUICK_MSECURITY_PAY","body":"leaf","timeout_express":"90m","time_expire":"2026-01-02 10:00","passback_params":"a%3D1","seller_id":"2088101122136241","goods_type":"1"}"#
        let pay = try TradeAppPay(try await order(content).verified(by: app.keys))
        #expect(pay.totalAmount.minorUnits == 888)
        #expect(pay.body == "leaf")
        #expect(pay.timeout == .minutes(90))
        #expect(pay.passbackParameters == "a%3D1")
        #expect(pay.sellerID == "2088101122136241")
        #expect(pay.goodsType == "1")
        let start = try AlipayTime("2026-01-01 23:00:00")
        // The absolute end wins.
        #expect(pay.end(ofTradeMadeAt: start).description == "2026-01-02 10:00:00")
        var without = pay
        without.expiresAt = nil
        #expect(without.end(ofTradeMadeAt: start).description == "2026-01-02 00:30:00")
        without.timeout = nil
        #expect(without.end(ofTradeMadeAt: start).description == "2026-01-16 23:00:00")
        #expect(pay.json.text.contains(#""total_amount":"8.88""#))
        #expect(TradeAppPay(outTradeNo: "T2", totalAmount: Amount(minorUnits: 1, currency: .cny), subject: "s").json["body"] == nil)
    }

    @Test(arguments: [
        ("[]", AlipayError.Code.malformedJSON), ("{", .malformedJSON), (#"{"subject":"a","subject":"b"}"#, .duplicateKey),
        (#"{"out_trade_no":"T1","total_amount":"0.01"}"#, .missingParameter),
        (#"{"out_trade_no":"T1","total_amount":"1e2","subject":"s","product_code":"QUICK_MSECURITY_PAY"}"#, .invalidParameter),
        (String(repeating: "[", count: 40), .tooLarge),
    ]) func badContentIsRefused(content: String, code: AlipayError.Code) async throws {
        let verified = try await order(content).verified(by: app.keys)
        #expect(throws: refused(code)) { try TradeAppPay(verified) }
    }

    @Test func otherMethodsAreNoOrders() async throws {
        let query = try await ModernRequest.signed([("app_id", "1"), ("method", "alipay.trade.query")], by: app.rsa2).verified(by: app.keys)
        #expect(throws: refused(.otherMessage)) { try TradeAppPay(query) }
        #expect(throws: refused(.missingParameter)) { try query.bizContent() }
    }

    @Test(arguments: ["gb2312", "GBK"]) func chineseLabelsMeanGBK(label: String) async throws {
        let made = try await ModernOrder.signed(
            [("app_id", "1"), ("charset", label), ("biz_content", #"{"subject":"茶"}"#)], charset: .gbk, by: app.rsa)
        #expect(made.text.contains("%B2%E8"))
        let verified = try ModernOrder(bytes(made.text)).verified(by: app.keys)
        #expect(try verified.bizContent()["subject"]?.string == "茶")
        #expect(verified.charset == .gbk)
    }

    // MARK: The gateway's door

    @Test func parametersMayBeSplitBetweenQueryAndBody() async throws {
        let made = try await order()
        let pairs = made.text.split(separator: "&").map(String.init)
        let content = pairs.filter { $0.hasPrefix("biz_content=") }
        let rest = pairs.filter { !$0.hasPrefix("biz_content=") }
        for mode in AlipayGatewayRequest.CharsetMode.allCases {
            let request = try AlipayGatewayRequest(query: bytes(rest.joined(separator: "&")), body: bytes(content.joined()), mode: mode)
            guard case .modern(let modern) = request else { throw refused(.malformed) }
            #expect(try modern.verified(by: app.keys).appID == "2026000000000001")
        }
        #expect(throws: refused(.duplicateKey)) {
            try AlipayGatewayRequest(query: bytes("method=a&charset=utf-8"), body: bytes("method=b"))
        }
        #expect(throws: refused(.missingParameter)) { try AlipayGatewayRequest(query: bytes("a=b")) }
        #expect(throws: refused(.tooLarge)) {
            try AlipayGatewayRequest(query: bytes("method=a"), body: [UInt8](repeating: 0x61, count: 10_000_000))
        }
    }

    /// gopay and the Ruby gem name their charset in the address and in the form.
    @Test func whatStandsInQueryAndBodyAlikeCountsOnce() async throws {
        let made = bytes(try await order().text)
        for mode in AlipayGatewayRequest.CharsetMode.allCases {
            for query in ["charset=utf-8", "charset=utf-8&version=1.0&app_id=2026000000000001"] {
                guard case .modern(let modern) = try AlipayGatewayRequest(query: bytes(query), body: made, mode: mode) else {
                    throw refused(.malformed)
                }
                #expect(try modern.verified(by: app.keys)["charset"] == "utf-8")
            }
        }
        for (query, code) in [
            ("charset=gbk", AlipayError.Code.unsupported), ("version=1.1", .duplicateKey),
            ("charset=utf-8&charset=gbk", .duplicateKey),
        ] {
            #expect(throws: refused(code), "\(query)") { try AlipayGatewayRequest(query: bytes(query), body: made) }
        }
    }

    /// The Java SDK's order strings end in a second copy of their `sign`.
    @Test func aSignatureMayStandThereTwice() async throws {
        let made = try await order().text
        let sign = try #require(made.split(separator: "&").first { $0.hasPrefix("sign=") })
        let twice = bytes("\(made)&\(sign)")
        #expect(try ModernOrder(twice).verified(by: app.keys).appID != nil)
        #expect(try ExpressOrder(twice).generation == .modern)
        guard case .modern(let call) = try AlipayGatewayRequest(query: twice) else { throw refused(.malformed) }
        #expect(try call.verified(by: app.keys).appID != nil)
        #expect(throws: refused(.duplicateKey)) { try ModernOrder(bytes("\(made)&sign=AA")) }
        // What the platform sends has no such copies: a notification is read strictly.
        #expect(throws: refused(.duplicateKey)) { try AlipayNotification(form: twice) }
    }

    @Test func theGatewaysSerialMayBeCoveredOrNot() async throws {
        let serial = "b09baa7d1d5b198c713b230c5a6ec8e7"
        let added = try ModernOrder(bytes(try await order().text + "&alipay_cert_sn=\(serial)")).verified(by: app.keys)
        #expect(added["alipay_cert_sn"] == nil && added.appID != nil)
        let covered = try ModernOrder(bytes(try await order(charset: .utf8, [("alipay_cert_sn", serial)]).text)).verified(by: app.keys)
        #expect(covered["alipay_cert_sn"] == serial)
        let other = try await order().text + "&alipay_cert_sn=\(serial)&extra=1"
        #expect(throws: refused(.signatureMismatch)) { try ModernOrder(bytes(other)).verified(by: app.keys) }
    }

    /// As the real gateway: what is not ASCII was read in GBK before the body said otherwise.
    @Test func charsetInTheBodyAloneBreaksTheSignatureAsDocumented() async throws {
        let made = bytes(try await order().text)
        guard case .modern(let documented) = try AlipayGatewayRequest(query: [], body: made, mode: .documented),
            case .modern(let lenient) = try AlipayGatewayRequest(query: [], body: made, mode: .lenient)
        else { throw refused(.malformed) }
        #expect(throws: refused(.signatureMismatch)) { try documented.verified(by: app.keys) }
        #expect(documented.signedBytes != lenient.signedBytes)
        #expect(try lenient.verified(by: app.keys).appID == "2026000000000001")
        // ASCII alone comes through.
        let plain = bytes(try await order(#"{"subject":"tea"}"#).text)
        guard case .modern(let ascii) = try AlipayGatewayRequest(query: [], body: plain) else { throw refused(.malformed) }
        #expect(try ascii.verified(by: app.keys).appID == "2026000000000001")
    }

    // MARK: Answers

    @Test(arguments: AlipayCharset.allCases) func answerIsSignedAndVerified(charset: AlipayCharset) async throws {
        // The second byte of 誠 is a backslash in GBK, and that of others a brace.
        let node = JSONValue.texts(["code": "10000", "msg": "Success", "subject": "誠 { \"茶\" } \\ 亄 }", "absent": nil])
        let body = try await ModernAnswer.make(
            node, answering: "alipay.trade.query", charset: charset, by: TestParty.gateway.rsa2, certificateSerial: "abc")
        let answer = try ModernAnswer(body, charset: charset)
        #expect(answer.nodeName == "alipay_trade_query_response")
        #expect(answer.certificateSerial == "abc")
        #expect(answer.signedBytes == (try charset.encode(node.text)))
        let verified = try answer.verified(by: TestParty.gateway.keys, answering: "alipay.trade.query")
        #expect(verified.isAccepted)
        #expect(verified.failure == nil)
        #expect(verified["subject"] == "誠 { \"茶\" } \\ 亄 }")
        #expect(verified.certificateSerial == "abc")
        #expect(throws: refused(.otherMessage)) { try answer.verified(by: TestParty.gateway.keys, answering: "alipay.trade.close") }
        #expect(throws: refused(.signatureMismatch)) { try answer.verified(by: TestParty.merchant.keys, answering: "alipay.trade.query") }
    }

    @Test func nodeIsVerifiedAsItStands() async throws {
        let node = #"{ "code" : "10000","b":{"c":["}",{"d":"\"}"}]} }"#
        let sign = try await TestParty.gateway.rsa.sign(bytes(node))
        let body = "{\"sign\":\"\(sign)\" , \"alipay_x_response\" : \(node)}"
        let answer = try ModernAnswer(bytes(body))
        #expect(text(answer.signedBytes) == node)
        #expect(try answer.verified(by: TestParty.gateway.keys, .rsa, answering: "alipay.x").isAccepted)
        // An encrypted node is a string, covered with its quotation marks.
        let cipher = "\"ZW5jcnlwdGVk\""
        let encrypted = "{\"alipay_x_response\":\(cipher),\"sign\":\"\(try await TestParty.gateway.rsa2.sign(bytes(cipher)))\"}"
        #expect(
            try ModernAnswer(bytes(encrypted)).verified(by: TestParty.gateway.keys, answering: "alipay.x").node.string == "ZW5jcnlwdGVk")
    }

    @Test func unsignedFailureIsShownAndNotBelieved() async throws {
        let failure = ModernFailure.invalidSignature(verifying: "a=1&b=\"<'>\"")
        let body = try await ModernAnswer.make(failure.node, answering: "alipay.trade.query", by: nil)
        let answer = try ModernAnswer(body)
        #expect(answer.unsignedFailure == failure)
        #expect(failure.subMessage?.hasSuffix("a=1&amp;b=&quot;&lt;&#39;&gt;&quot;") == true)
        #expect(throws: refused(.missingSignature)) { try answer.verified(by: TestParty.gateway.keys, answering: "alipay.trade.query") }
        let signed = try await ModernAnswer.make(
            ModernFailure.business("ACQ.TRADE_NOT_EXIST", "no such trade").node, answering: "alipay.trade.query", by: TestParty.gateway.rsa2
        )
        let verified = try ModernAnswer(signed).verified(by: TestParty.gateway.keys, answering: "alipay.trade.query")
        #expect(verified.failure?.subCode == "ACQ.TRADE_NOT_EXIST")
        #expect(try ModernAnswer(signed).unsignedFailure == nil)
        #expect(try ModernAnswer(bytes(#"{"error_response":{"code":"10000"}}"#)).unsignedFailure == nil)
        #expect(try ModernAnswer(bytes(#"{"error_response":{"msg":"x"}}"#)).unsignedFailure == nil)
    }

    @Test(arguments: [
        ("", AlipayError.Code.malformedJSON), ("[]", .malformedJSON), ("{}", .malformed),
        (#"{"a_response":{},"b_response":{}}"#, .malformed),
        (#"{"a_response":{},"a_response":{}}"#, .duplicateKey), (String(repeating: "{\"a\":", count: 50), .tooLarge),
    ]) func brokenAnswerIsRefused(body: String, code: AlipayError.Code) {
        #expect(throws: refused(code)) { try ModernAnswer(bytes(body)) }
        #expect(throws: refused(.tooLarge)) { try ModernAnswer([UInt8](repeating: 0x20, count: 10_000_000)) }
    }

    @Test(arguments: [
        (AlipayError.Code.missingSignature, "40001", "isv.missing-signature", "ILLEGAL_SIGN", "ALI40247"),
        (.signatureMismatch, "40002", "isv.invalid-signature", "ILLEGAL_SIGN", "ALI40247"),
        (.unknownKey, "40003", "isv.missing-signature-config", "ILLEGAL_SIGN", "ALI40247"),
        (.unsupportedSignType, "40002", "isv.invalid-signature-type", "ILLEGAL_SIGN_TYPE", "ALI40247"),
        (.unsupported, "40002", "isv.invalid-charset", "ILLEGAL_CHARSET", "ALI38173"),
        (.missingSignType, "40001", "isv.missing-signature-type", "ILLEGAL_ARGUMENT", "ALI40247"),
        (.missingParameter, "40001", "isv.missing-method", "ILLEGAL_ARGUMENT", "ALIN42273"),
        (.duplicateKey, "40002", "isv.invalid-parameter", "ILLEGAL_ARGUMENT", "ALI38173"),
    ]) func refusalsHaveTheirCodes(code: AlipayError.Code, modern: String, sub: String, legacy: String, wallet: String) {
        let error = refused(code)
        #expect(ModernFailure(error).code == modern)
        #expect(ModernFailure(error).subCode == sub)
        #expect(LegacyErrorCode(error).description == legacy)
        #expect(WalletRefusalCode(error).description == wallet)
        #expect(ModernFailure.unavailable().code == "20000")
        #expect(ModernFailure.noPermission().code == "40006")
    }
}
