import AlipayPlusApp
import AlipayPlusDiagnosis
import AlipayPlusValues
import BillfoldDiagnosis
import Foundation
import Testing

@Suite struct PaymentSheetPlistLintTests {
    private func plist(_ schemes: [String] = ["shopapp"], queries: [String]? = ["gcash", "dana"]) throws -> Data {
        var entries: [String: Any] = ["CFBundleURLTypes": schemes.map { ["CFBundleURLSchemes": [$0]] }]
        entries["LSApplicationQueriesSchemes"] = queries
        return try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0)
    }

    private func codes(_ plist: Data, wallets: [String] = ["gcash", "DANA"], returns: [String] = ["shopapp"]) -> [String] {
        PaymentSheetPlistLint.findings(in: plist, walletSchemes: wallets, returnSchemes: returns).map(\.code)
    }

    @Test func soundListHasNoFinding() throws {
        #expect(try codes(plist()).isEmpty)
        #expect(try codes(plist([]), returns: []).isEmpty)
        #expect(try codes(plist(queries: nil), wallets: []).isEmpty)
    }

    @Test func walletsThatAreNotAskedForAreFound() throws {
        let findings = PaymentSheetPlistLint.findings(in: try plist(queries: ["gcash"]), walletSchemes: ["gcash", "dana"])
        #expect(findings.map(\.code) == ["alipay-plus-app.query-scheme-missing"])
        #expect(findings.first?.evidence.first?.value == "dana")
        // Systems read the first fifty.
        let others = (1...50).map { "app\($0)" }
        #expect(try codes(plist(queries: others + ["gcash"]), wallets: ["gcash"]) == ["alipay-plus-app.query-scheme-missing"])
    }

    @Test func walletsOfAPaymentAreThoseWithAScheme() throws {
        let wallets = [
            PaymentData.Wallet(name: "GCASH", links: WalletLinks(schemeURL: "gcash://a")),
            .init(name: "TWO", links: .init(schemeURL: "gcash://b")),
            .init(name: "KAKAOPAY", links: .init(schemeURL: "kakaotalk:x")), .init(name: "DANA"),
        ]
        let data = PaymentData(
            environment: .sandbox, paymentID: "P", merchantID: "M", acquirerID: "A", expiryTime: "2026-01-02T03:14:05Z",
            sheetURL: "https://sheet.example.test/", wallets: wallets)
        let findings = PaymentSheetPlistLint.findings(in: try plist(queries: []), for: data)
        #expect(findings.map { $0.evidence.first?.value } == ["gcash", "kakaotalk"])
    }

    @Test func schemesThatNobodyOrTwoTypesRegisterAreFound() throws {
        #expect(try codes(plist([])) == ["alipay-plus-app.return-scheme-unregistered"])
        let shared = PaymentSheetPlistLint.findings(in: try plist(["shopapp", "ShopApp"]), walletSchemes: [], returnSchemes: ["shopapp"])
        #expect(shared.map(\.code) == ["alipay-plus-app.return-scheme-shared"] && shared.first?.severity == .warning)
    }

    @Test(arguments: ["", "<plist", "[]"])
    func otherFilesAreSaidToBeNone(text: String) {
        #expect(codes(Data(text.utf8)) == ["alipay-plus-app.plist-unreadable"])
    }
}
