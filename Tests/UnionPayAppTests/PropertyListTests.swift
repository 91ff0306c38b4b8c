import BillfoldDiagnosis
import Foundation
import Testing
import UnionPayApp

@Suite struct PropertyListTests {
    private func findings(schemes: [String], queries: [String]) throws -> [String] {
        let list: [String: Any] = [
            "CFBundleURLTypes": [["CFBundleURLSchemes": schemes]], "LSApplicationQueriesSchemes": queries,
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        return PluginPropertyListLint.findings(in: bytes, scheme: "shop").map { "\($0.code)" }
    }

    @Test func whatIsCompleteHasNoFinding() throws {
        #expect(try findings(schemes: ["shop"], queries: PluginPropertyListLint.querySchemes).isEmpty)
    }

    @Test func eachGapIsNamed() throws {
        let found = try findings(schemes: ["shop://"], queries: ["uppaysdk", "uppaywallet", "uppayx1", "uppayx2"])
        #expect(found == ["unionpay-app.scheme-unregistered", "unionpay-app.query-scheme-missing"])
        let shared = try findings(schemes: ["shop", "shop"], queries: PluginPropertyListLint.querySchemes)
        #expect(shared == ["unionpay-app.scheme-shared"])
        let unreadable = PluginPropertyListLint.findings(in: Data("x".utf8), scheme: "shop").map { "\($0.code)" }
        #expect(unreadable == ["unionpay-app.plist-unreadable"])
    }
}
