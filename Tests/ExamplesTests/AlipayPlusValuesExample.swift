import AlipayPlusValues
import BillfoldMoney
import Testing

struct AlipayPlusValuesExample {
    // Example
    /// What a gateway publishes of one merchant and currency, and where. An app reads it before it shows the row of Alipay+.
    func published(_ currency: Currency, promotion: String) throws -> (path: String, text: String) {
        let path = PublishedOptionPath(
            environment: .sandbox, acquirerID: "A1112TEST0000000", referenceMerchantID: "M-1", currency: currency,
            logoPattern: try LogoPattern("P1-APP-01"))
        let option = PublishedOption(isEnabled: true, brandName: "Alipay+", promotions: [.english: [promotion]])
        return (path.path, option.text)
    }

    /// The wallets that a payment's sheet offers, from the text that `pay` answered and that reaches the app unread.
    func wallets(in paymentData: String) throws -> [String] { try PaymentData(paymentData).wallets.map(\.name) }
    // End

    @Test func example() throws {
        let (path, text) = try published(Currency("PHP"), promotion: "5% off")
        #expect(try PublishedOptionPath(path: path).merchantHash == PublishedOptionPath.hash(ofMerchant: "M-1"))
        #expect(try PublishedOption(Array(text.utf8)).promotions(in: .thai) == ["5% off"])
        let data = PaymentData(
            environment: .sandbox, paymentID: "P-1", merchantID: "M-1", acquirerID: "A1112TEST0000000",
            expiryTime: "2026-01-02T03:14:05+08:00", sheetURL: "https://sheet.example.test/s/1", wallets: [.init(name: "GCASH")])
        #expect(try wallets(in: data.text) == ["GCASH"])
        #expect(throws: AlipayPlusError(code: .paymentDataMalformed, reason: "")) { try wallets(in: "paid") }
    }
}
