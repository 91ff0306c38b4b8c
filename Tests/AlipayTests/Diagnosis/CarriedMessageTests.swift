import AlipayDiagnosis
import BillfoldDiagnosis
import Foundation
import Testing

/// Messages in what people take them out of: the wallet's URL, a print of the kit's answer, the gateway's refusal.
struct CarriedMessageTests {
    static let words = "验签出错，网关生成的验签字符串为："

    private func codes(_ text: String, _ item: AlipayCase) -> [String] { AlipayCase.examine(item.with(text)).findings.map(\.code) }

    // MARK: The wallet's URL

    /// The URL by which an app hands an order to the wallet; `data` stands as the value of dataString.
    private func url(_ data: String, type: String = "SafePay", scheme: String = "shop") -> String {
        "alipay://alipayclient/?"
            + AlipayCase.percent(#"{"requestType":"\#(type)","fromAppUrlScheme":"\#(scheme)","dataString":\#(data)}"#)
    }

    @Test func ordersInTheWalletsURLAreJudged() throws {
        var item = AlipayCase(seed: 8_100)
        let order = try item.modern(item.modernPairs())
        #expect(codes(order, item) == [])
        #expect(codes(url("\"\(order)\""), item) == [])
        #expect(codes(url("\"\(order)\"", scheme: ""), item) == ["alipay.switch-scheme"])
        #expect(codes(url(order), item) == ["alipay.switch-unquoted"])
    }

    @Test func urlThatTheWalletCannotReadIsNamed() throws {
        var item = AlipayCase(seed: 8_200)
        let order = try item.modern(item.modernPairs())
        #expect(codes(url("\"\(order)\"", type: "Other"), item) == ["alipay.switch-unreadable"])
        #expect(codes("alipay://alipayclient/?" + AlipayCase.percent(order), item) == ["alipay.switch-unreadable"])
    }

    // MARK: A print of the kit's answer

    @Test func printsOfTheKitsAnswerAreRead() throws {
        var item = AlipayCase(seed: 8_300, isRSA2: true)
        let result = try item.modernResult(item.node())
        let quoted = "\"" + result.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        for print in [
            #"["resultStatus": "9000", "memo": "", "result": \#(quoted)]"#,
            #"["resultStatus": Optional("9000"), "result": Optional(\#(quoted))]"#,
            "{\n    memo = \"\\U5904\\U7406\";\n    result = \(quoted);\n    resultStatus = 9000;\n}",
            "{resultStatus=9000, result=\(result), memo=}",
        ] {
            let diagnosis = AlipayCase.examine(item.with(print))
            #expect(diagnosis.findings.map(\.code) == [], "\(print)")
            #expect(diagnosis.identified.contains { $0.summary.contains("result") }, "\(print)")
            let changed = AlipayCase.examine(item.with(print.replacing("10000", with: "10001"))).findings.map(\.code)
            #expect(changed.contains("alipay.text-changed"), "\(print): \(changed)")
        }
    }

    // MARK: Without the recovery of what was signed

    @Test func withoutRecoveryOnlyKnownTextsAreFound() throws {
        var item = AlipayCase(seed: 8_400)
        func codes(_ text: String) -> [String] { AlipayDiagnostician().examine(item.with(text)).findings.map(\.code) }
        let pairs = item.modernPairs()
        #expect(codes(try item.modern(pairs)) == [])
        #expect(codes(try item.modern(pairs, signed: AlipayCase.plain(pairs))) == ["alipay.order-changed"])
        #expect(codes(try item.modern(pairs, signed: "another text")) == ["alipay.signature-mismatch"])
    }

    // MARK: Refusals

    private func refusal(_ subCode: String, _ said: String = "", code: String = "40002") -> String {
        let escaped = said.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return #"{"alipay_trade_query_response":{"code":"\#(code)","msg":"x","sub_code":"\#(subCode)","sub_msg":"\#(escaped)"}}"#
    }

    @Test(arguments: [
        ("isv.missing-signature", "40001", "Send signature"), ("isv.invalid-terminal", "40002", "Compare terminal"),
        ("ACQ.TRADE_OF_TOMORROW", "40004", "Query the trade"), ("isv.of-tomorrow", "40002", "Look the code up"),
    ])
    func refusalsAreExplained(subCode: String, code: String, mend: String) {
        let findings = AlipayCase.examine(AlipayCase(seed: 8_500).with(refusal(subCode, "it said", code: code))).findings
        #expect(findings.map(\.code) == ["alipay.refused"])
        #expect(findings.allSatisfy { $0.cause.contains(subCode) && $0.mend.contains(mend) }, "\(findings)")
        #expect(findings.map(\.severity) == [subCode.hasPrefix("ACQ.") ? .warning : .defect])
    }

    @Test func textThatTheGatewayQuotesIsComparedWithTheOrder() throws {
        var item = AlipayCase(seed: 8_600)
        let pairs = item.modernPairs()
        let order = Artifact(name: "order.txt", bytes: Array(try item.modern(pairs).utf8))
        let text = AlipayCase.plain(AlipayCase.sorted(pairs))
        func finding(_ quoted: String) throws -> Finding {
            let answer = item.with(refusal("isv.invalid-signature", Self.words + quoted))
            return try #require(AlipayCase.examine(answer + [order]).findings.first)
        }
        let same = try finding(text)
        #expect(same.code == "alipay.refused" && same.cause.contains("another key"), "\(same)")
        let other = try finding(text.replacing("subject", with: "Subject"))
        #expect(other.code == "alipay.gateway-text-differs" && other.cause.contains("biz_content"), "\(other)")
    }
}
