import AlipayPlusValues
import Testing

@Suite struct PaymentDataTests {
    private let data = PaymentData(
        environment: .sandbox, paymentID: "P-1", merchantID: "M-1", acquirerID: "A1112TEST0000000",
        expiryTime: "2026-01-02T03:14:05+08:00", sheetURL: "https://sheet.example.test/s/1",
        wallets: [
            .init(
                name: "GCASH", brandName: "GCash",
                links: WalletLinks(
                    schemeURL: "gcash://pay?c=1", applinkURL: "https://gcash.example.test/a", normalURL: "https://gcash.example.test/n",
                    appIdentifier: "com.example.gcash")),
            .init(name: "DANA"),
        ])

    private func code(of text: String) -> AlipayPlusError.Code? {
        do throws(AlipayPlusError) { _ = try PaymentData(text) } catch { return error.code }
        return nil
    }

    @Test func dataIsReadAsItWasWritten() throws {
        #expect(try PaymentData(data.text) == data)
        #expect(data["GCASH"]?.brandName == "GCash" && data["ALIPAY_CN"] == nil)
    }

    @Test func textIsPlainJSONWithTheNamesThatAPublicClientReads() {
        #expect(data.text.hasPrefix(#"{"version":1,"environment":"SANDBOX","paymentId":"P-1","merchantId":"M-1","#))
        #expect(data.text.contains(#"{"walletName":"GCASH","walletBrandName":"GCash","redirectionInfo":{"schemeUrl":"gcash://pay?c=1","#))
    }

    @Test func absentAndEmptyLinksAreTheSame() throws {
        let text = data.text.replacing(#""schemeUrl":"gcash://pay?c=1""#, with: #""schemeUrl":"","other":1"#)
            .replacing(#""applinkUrl":"https://gcash.example.test/a""#, with: #""applinkUrl":null"#)
        let links = try #require(try PaymentData(text)["GCASH"]).links
        #expect(links.schemeURL == nil && links.applinkURL == nil && links.normalURL != nil && !links.isEmpty)
        #expect(WalletLinks(appIdentifier: "x").isEmpty)
    }

    @Test func dataOfAnotherVersionIsNamed() {
        #expect(code(of: data.text.replacing(#""version":1"#, with: #""version":2"#)) == .paymentDataVersion)
        #expect(code(of: data.text.replacing(#""version":1,"#, with: "")) == .paymentDataVersion)
        #expect(code(of: #"{"version":"1"}"#) == .paymentDataMalformed)
    }

    @Test func dataThatWasEscapedTwiceIsNamed() {
        let quoted = #"""# + data.text.replacing(#"""#, with: #"\""#) + #"""#
        #expect(code(of: quoted) == .paymentDataEscapedTwice)
        #expect(code(of: data.text.replacing(#"""#, with: #"\""#)) == .paymentDataEscapedTwice)
        #expect(code(of: data.text.replacing("{", with: "%7B").replacing(#"""#, with: "%22")) == .paymentDataEscapedTwice)
    }

    @Test(arguments: ["environment", "paymentId", "merchantId", "acquirerId", "expiryTime", "sheetUrl", "walletName"])
    func missingMemberIsRefused(name: String) {
        #expect(code(of: data.text.replacing("\"\(name)\"", with: "\"x\(name)\"")) == .paymentDataMalformed)
    }

    @Test(arguments: ["", "x", "[]", "\"x\"", "null"])
    func otherTextIsRefused(text: String) {
        #expect(code(of: text) == .paymentDataMalformed)
    }

    @Test func unknownEnvironmentAndLongTextAreRefused() {
        #expect(code(of: data.text.replacing("SANDBOX", with: "sandbox")) == .paymentDataMalformed)
        #expect(code(of: String(repeating: " ", count: PaymentData.maximumLength) + data.text) == .paymentDataMalformed)
    }
}
