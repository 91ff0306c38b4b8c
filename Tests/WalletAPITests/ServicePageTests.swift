import Foundation
import Testing
import WalletAPI

/// The pages for readers who write no Swift say what the code does.
@Suite struct ServicePageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs/wallet-services")

    private func page(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent("\(name).md"), encoding: .utf8)
    }

    @Test(arguments: ["README", "oauth", "payment", "code", "deep-link", "member"])
    func pageHasNoSwift(name: String) throws {
        let text = try page(name)
        #expect(!text.contains("```"), "a block of code")
        for word in ["func ", "override", "callback:", "@escaping", "Void"] { #expect(!text.contains(word), "\(name): \(word)") }
        #expect(text.contains("[D ") && text.contains("[I]"))
    }

    @Test func everyErrorCodeHasItsRow() throws {
        let text = try page("README")
        for code in IAPWalletErrorCode.allCases { #expect(text.contains("| \(code.rawValue) | `\(code.name)` |"), "\(code)") }
    }

    @Test func everyEndOfAPaymentHasItsRow() throws {
        let text = try page("payment")
        for ending in PaymentEnding.allCases {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(ending.rawValue)` |") }
            let cells = try #require(row, "\(ending)").split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            // Paid is settled, and believed by the merchant's server alone.
            #expect(cells[2] == (ending.isSettled ? "yes" : "no"), "\(ending)")
        }
        for code in IAPWalletErrorCode.allCases {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| 1") && $0.contains(String(code.rawValue)) }
            #expect(row?.contains("`\(PaymentEnding(code).rawValue)`") == true, "\(code)")
        }
    }

    @Test func everySceneHasItsRow() throws {
        let text = try page("deep-link")
        for scene in WalletScene.allCases { #expect(text.contains("\n| `\(scene.rawValue)` |"), "\(scene)") }
    }

    @Test func limitsAreTheDefaults() throws {
        #expect(AuthorizationWorkflow.Limits().service == .seconds(30) && AuthorizationWorkflow.Limits().page == nil)
        #expect(try page("oauth").contains("30 seconds for each `getAuthCode`; none for the page"))
    }

    @Test func codePageTellsTheRule() throws {
        let text = try page("code")
        #expect(CodeLinkRule.alipayPlus.domains.allSatisfy { text.contains("below `\($0)`") })
        for trick in ["alipayplus.com.evil.test", "evilalipayplus.com", "qr.alipaypus.com"] {
            #expect(!CodeLinkRule.alipayPlus.accepts("https://\(trick)/"))
        }
    }
}
