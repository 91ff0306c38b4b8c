import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldTestSupport
import Testing

@Suite struct WalletCatalogueTests {
    private func entry(_ changes: String = "", type: String = "ONE", region: String = "PH") -> String {
        """
        {"paymentMethodType":"\(type)","displayName":"One","region":"\(region)","homeCurrency":"PHP","pspId":"1"\(changes)}
        """
    }

    private func catalogue(_ entries: String...) throws -> WalletCatalogue {
        try WalletCatalogue(Array(#"{"wallets":[\#(entries.joined(separator: ","))]}"#.utf8))
    }

    @Test(.enabled(if: Vectors.available("alipay-plus-acquirer/wallets.json")))
    func listOfPublicFactsIsRead() throws {
        let catalogue = try WalletCatalogue(Vectors.bytes("alipay-plus-acquirer/wallets.json"))
        #expect(catalogue.wallets.count >= 20)
        let dana = try #require(catalogue["DANA"])
        #expect(dana.region == "ID" && dana.homeCurrency.alphabeticCode == "IDR" && dana.scenarios == [.cashier, .automaticDebit])
        #expect(dana.limit?.minimum?.text == "300.00" && dana.limit?.maximum?.text == "10000000.00" && dana.limit?.period == .transaction)
        #expect(catalogue["GCASH"]?.limit?.period == .day && catalogue["BOOST"]?.limit?.period == .month)
        #expect(catalogue["ALIPAY_CN"]?.limit?.minimum?.minorUnits == 10 && catalogue["ALIPAY_CN"]?.limit?.maximum == nil)
        #expect(catalogue["TINABA"]?.scenarios == nil && catalogue["KAKAOPAY"]?.limit?.maximum?.minorUnits == 2_000_000)
        #expect(catalogue["NONE"] == nil)
    }

    @Test func limitAdmitsOnePaymentOrDoesNotKnow() throws {
        let wallet = try #require(
            try catalogue(entry(#","publishedLimitMajorUnits":{"currency":"PHP","min":"1","max":"10.5"}"#)).wallets.first)
        func admits(_ units: Int64, _ code: String = "PHP") throws -> Bool? {
            wallet.limit?.admits(Amount(minorUnits: units, currency: try Currency(code)))
        }
        #expect(try admits(99) == false)
        #expect(try admits(100) == true)
        #expect(try admits(1_050) == true)
        #expect(try admits(1_051) == false)
        #expect(try admits(100, "HKD") == nil)
    }

    @Test func nearWalletsComeFirstInTheRegionsOrder() throws {
        let catalogue = try catalogue(
            entry(type: "A", region: "PH"), entry(type: "B", region: "KR"), entry(type: "C", region: "HK"), entry(type: "D", region: "PH"))
        #expect(catalogue.ordered(byRegions: ["HK", "PH"]).map(\.paymentMethodType) == ["C", "A", "D", "B"])
        #expect(catalogue.ordered(byRegions: []).map(\.paymentMethodType) == ["A", "B", "C", "D"])
    }

    @Test(arguments: [
        #","paymentMethodType":"TWO""#, #","scenarios":["fax"]"#, #","scenarios":"cashier""#, #","publishedLimitMajorUnits":"1""#,
        #","publishedLimitMajorUnits":{"currency":"XXQ"}"#, #","publishedLimitMajorUnits":{"currency":"PHP","min":1}"#,
        #","publishedLimitMajorUnits":{"currency":"PHP","min":"1.005"}"#, #","publishedLimitMajorUnits":{"currency":"PHP","per":"year"}"#,
        #","publishedLimitMajorUnits":{"currency":"PHP","min":"2","max":"1"}"#,
    ])
    func oddEntryIsRefused(changes: String) {
        #expect(throws: AlipayPlusError(code: .catalogueMalformed, reason: "")) { try catalogue(entry(changes)) }
    }

    @Test(arguments: ["", "{}", #"{"wallets":{}}"#, #"{"wallets":[1]}"#, #"{"wallets":[{"paymentMethodType":"ONE"}]}"#])
    func otherFilesAreRefused(text: String) {
        #expect(throws: AlipayPlusError(code: .catalogueMalformed, reason: "")) { try WalletCatalogue(Array(text.utf8)) }
    }

    @Test func walletIsListedOnceAndInARegion() {
        #expect(throws: AlipayPlusError(code: .catalogueMalformed, reason: "")) { try catalogue(entry(), entry()) }
        #expect(throws: AlipayPlusError(code: .catalogueMalformed, reason: "")) { try catalogue(entry(region: "ph")) }
    }
}
