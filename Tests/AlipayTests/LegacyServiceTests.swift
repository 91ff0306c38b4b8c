import Alipay
import Testing

struct LegacyServiceTests {
    private let partner = TestParty.merchant

    @Test func callIsSignedOverSortedPlainText() async throws {
        let made = try await LegacyServiceRequest.signed(
            [
                ("service", "forex_refund"), ("partner", "2088101122136241"), ("_input_charset", "GBK"), ("reason", "茶 & more"),
                ("empty", ""),
                ("sign", "old"), ("sign_type", "old"),
            ], by: partner.rsa)
        #expect(made.text.contains("reason=%B2%E8+%26+more"))
        let call = try LegacyServiceRequest(bytes(made.text))
        let verified = try call.verified(by: partner.keys)
        #expect(verified["reason"] == "茶 & more")
        #expect(verified.service == "forex_refund")
        #expect(verified.charset == .gbk)
        #expect(call.partner == "2088101122136241")
        #expect(throws: refused(.signatureMismatch)) {
            try LegacyServiceRequest(bytes(made.text.replacing("forex_refund", with: "close_trade"))).verified(by: partner.keys)
        }
        #expect(throws: refused(.missingSignature)) {
            try LegacyServiceRequest(bytes("service=notify_verify&notify_id=1")).verified(by: partner.keys)
        }
        #expect(throws: refused(.unsupported)) { try LegacyServiceRequest(bytes("_input_charset=latin1")) }
        #expect(throws: refused(.unsupportedSignType)) {
            try LegacyServiceRequest(bytes("a=1&sign=A&sign_type=DSA")).verified(by: partner.keys)
        }
    }

    @Test(arguments: AlipayCharset.allCases) func successIsWrittenAndRead(charset: AlipayCharset) async throws {
        let request: [AlipayXML.Field] = [.init("_input_charset", charset.rawValue), .init("out_trade_no", "<T&1>")]
        let trade: [AlipayXML.Field] = [
            .init("subject", "茶 \"a\" & 'b' <c>\r\n"), .init("total_fee", "10.00"), .init("trade_status", "TRADE_FINISHED"),
            .init("body", ""),
        ]
        let body = try await LegacyAnswer.success(request: request, response: trade, charset: charset, by: TestParty.gateway.md5)
        let answer = try LegacyAnswer(body)
        #expect(answer.isSuccess)
        #expect(answer.error == nil)
        #expect(answer.charset == charset)
        #expect(answer.request == request)
        #expect(answer.response == trade)
        let verified = try answer.verified(by: TestParty.gateway.keys)
        #expect(verified["subject"] == "茶 \"a\" & 'b' <c>\r\n")
        #expect(verified["body"] == nil)
        #expect(throws: refused(.signatureMismatch)) { try answer.verified(by: partner.keys) }
        let plain = try await LegacyAnswer.success(request: [], response: [], charset: charset, by: TestParty.gateway.rsa)
        #expect(try LegacyAnswer(plain).isSuccess)
        #expect(throws: refused(.missingSignature)) { try LegacyAnswer(plain).verified(by: TestParty.gateway.keys) }
    }

    @Test func failureNamesItsError() throws {
        let body = try LegacyAnswer.failure(LegacyErrorCode.tradeNotExist.rawValue, request: [.init("service", "x")], charset: .gbk)
        #expect(
            text(body)
                == #"<?xml version="1.0" encoding="GBK"?><alipay><is_success>F</is_success><request><param name="service">x</param></request><error>TRADE_NOT_EXIST</error></alipay>"#
        )
        let answer = try LegacyAnswer(body)
        #expect(!answer.isSuccess)
        #expect(answer.error == "TRADE_NOT_EXIST")
        #expect(try LegacyAnswer(LegacyAnswer.failure("X", charset: .utf8)).request == [])
    }

    @Test func answerIsReadWithLayoutAndComments() throws {
        let body = """
            <?xml version='1.0' encoding='utf-8'?>
            <!-- one -->
            <alipay>
              <is_success>T</is_success><!-- two -->
              <request><param name='a'>1</param></request>
              <response><trade><x>&#x8336;&#33;</x><y/></trade></response>
            </alipay>
            <!-- end -->
            """
        let answer = try LegacyAnswer(bytes(body))
        #expect(answer.response == [.init("x", "茶!"), .init("y", "")])
    }

    @Test(arguments: [
        ("", AlipayError.Code.malformedXML), ("<alipay>", .malformedXML), ("<a></b>", .malformedXML), ("<a/><b/>", .malformedXML),
        ("<a/>", .malformed),
        ("<alipay><is_success>Y</is_success></alipay>", .malformed), ("x<a/>", .malformedXML), ("<1/>", .malformedXML),
        ("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><alipay>&b;</alipay>", .malformedXML),
        ("<alipay>&b;</alipay>", .malformedXML), ("<alipay>&b</alipay>", .malformedXML), ("<alipay>&#0;</alipay>", .malformedXML),
        ("<alipay>&#xD800;</alipay>", .malformedXML), ("<alipay><![CDATA[x]]></alipay>", .malformedXML),
        ("<alipay><?x?></alipay>", .malformedXML),
        ("<alipay a=1/>", .malformedXML), ("<alipay a='1' a='2'/>", .malformedXML), ("<alipay a='<'/>", .malformedXML),
        ("<alipay a='1/>", .malformedXML),
        ("<alipay></alipay x>", .malformedXML), ("<!-- <alipay/>", .malformedXML), ("<?xml encoding='latin1'?><alipay/>", .unsupported),
        ("<alipay><is_success>T</is_success><response><t><a/><a/></t></response></alipay>", .duplicateKey),
        (String(repeating: "<a>", count: 100), .tooLarge),
    ]) func brokenXMLIsRefused(body: String, code: AlipayError.Code) {
        #expect(throws: refused(code), "\(body)") { try LegacyAnswer(bytes(body)) }
    }

    @Test func hugeAndUnwritableXMLIsRefused() {
        #expect(throws: refused(.tooLarge)) { try LegacyAnswer([UInt8](repeating: 0x3C, count: 10_000_000)) }
        #expect(throws: refused(.unencodableText)) { try LegacyAnswer.failure("\u{1}", charset: .utf8) }
        #expect(throws: refused(.unencodableText)) { try LegacyAnswer.failure("\u{1F600}", charset: .gbk) }
        #expect(throws: refused(.unencodableText)) { try AlipayXML.read([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) }
    }
}
