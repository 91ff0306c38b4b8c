import AlipayApp
import BillfoldDiagnosis
import Foundation
import Testing

@Suite struct InfoPlistLintTests {
    private func codes(
        schemes: [String] = ["shopapp"], queries: [String]? = ["alipay", "alipays"], passed: String = "shopapp",
        format: PropertyListSerialization.PropertyListFormat = .xml, wallets: [String] = ["alipay"]
    ) throws -> [String] {
        var entries: [String: Any] = ["CFBundleURLTypes": schemes.map { ["CFBundleURLSchemes": [$0]] }]
        entries["LSApplicationQueriesSchemes"] = queries
        let bytes = try PropertyListSerialization.data(fromPropertyList: entries, format: format, options: 0)
        return InfoPlistLint.findings(in: bytes, scheme: passed, walletSchemes: wallets).map(\.code)
    }

    @Test func soundListHasNoFinding() throws {
        #expect(try codes().isEmpty)
        #expect(try codes(format: .binary).isEmpty)
        #expect(try codes(schemes: ["other", "ShopApp"], wallets: ["alipay", "alipays"]).isEmpty)
    }

    @Test(arguments: ["shop_app", "alipay", "9shop"])
    func schemeThatNeverComesBackIsFound(scheme: String) throws {
        #expect(try codes(schemes: [scheme], passed: scheme) == ["alipay-app.scheme-unusable"])
    }

    @Test func schemesThatAreNotRegisteredOrTwiceAreFound() throws {
        #expect(try codes(schemes: []) == ["alipay-app.scheme-unregistered"])
        #expect(try codes(schemes: ["shopapp", "shopapp"]) == ["alipay-app.scheme-shared"])
    }

    @Test func walletsThatAreNotAskedForAreFound() throws {
        #expect(try codes(queries: nil) == ["alipay-app.query-scheme-missing"])
        #expect(try codes(queries: ["weixin"]) == ["alipay-app.query-scheme-missing"])
        #expect(try codes(queries: ["alipay"], wallets: ["alipay", "alipays"]) == ["alipay-app.query-scheme-missing"])
        // Systems read the first fifty.
        let others = (1...50).map { "app\($0)" }
        #expect(try codes(queries: others + ["alipay"]) == ["alipay-app.query-scheme-missing"])
        #expect(try codes(queries: others.dropLast() + ["alipay"]).isEmpty)
    }

    @Test(arguments: ["", "<plist", "[]", "{}"])
    func otherFilesAreSaidToBeNone(text: String) {
        let findings = InfoPlistLint.findings(in: Data(text.utf8), scheme: "shopapp")
        #expect(text == "{}" || findings.map(\.code) == ["alipay-app.plist-unreadable"])
    }
}
