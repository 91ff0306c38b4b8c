import BillfoldServer
import BillfoldWeb
import Foundation
import HTTPTypes
import Testing

@testable import WalletServer

/// What people see: both languages whole, nothing of a stranger's as markup, and a way on from every page.
struct PageTests {
    static let templates = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Sources/WalletServer/Resources/wallet")

    @Test func bothLanguagesAreWhole() {
        for language in WalletLanguage.allCases {
            let table = WalletTexts.table(language)
            #expect(Set(table.keys) == Set(WalletText.allCases), "\(language)")
            #expect(table.values.allSatisfy { !$0.isEmpty })
        }
        for text in WalletText.allCases {
            let parts = WalletLanguage.allCases.map { language in
                Set(WalletTexts(language)[text].matches(of: /\{(\w+)\}/).map { String($0.output.1) })
            }
            #expect(parts[0] == parts[1], "\(text) is filled in differently")
        }
    }

    @Test func everyTextThatATemplateNamesIsThere() throws {
        let names = Set(WalletText.allCases.map(\.rawValue))
        let files = try FileManager.default.contentsOfDirectory(at: Self.templates, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "mustache" }
        #expect(files.count >= 10)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /\{\{t\.(\w+)\}\}/) {
                #expect(names.contains(String(match.output.1)), "\(file.lastPathComponent) names \(match.output.1)")
            }
        }
    }

    @Test(arguments: [
        "order", "login", "means", "password", "processing", "result", "problem", "home", "bills", "consent", "contract", "leaving",
    ])
    func everyTemplateIsWellFormed(name: String) throws {
        #expect(try PageSet.wallet.render("wallet/\(name)", ["language": "en"]).contains(#"<html lang="en">"#))
    }

    @Test func partsAreFilledInOnce() {
        #expect(WalletTexts(.english)(.payingAs, ["name": "{name} & {x}"]) == "You pay as {name} & {x}")
    }

    @Test(arguments: [
        (nil, WalletLanguage.english), ("zh-CN,zh;q=0.9,en;q=0.8", .chinese), ("en-GB,en;q=0.9,zh;q=0.8", .english),
        ("fr, zh;q=0.2, en;q=0.1", .chinese), ("zh;q=0, en;q=0.1", .english), ("de", .english), ("zh-Hans-SG", .chinese),
        (";;;,q=9,zh;q=x", .english),
    ])
    func theBrowsersLanguageIsTaken(header: String?, language: WalletLanguage) {
        #expect(WalletLanguage.preferred(by: header) == language)
    }

    @Test func aPageSpeaksChineseAndSwitches() async throws {
        try await TestWallet.open { wallet in
            let path = try await wallet.checkout()
            let browser = wallet.browser(language: "zh-CN,zh;q=0.9")
            let page = try await browser.get(path)
            #expect(page.body.contains(#"<html lang="zh-Hans">"#) && page.body.contains("确认订单"))
            #expect(page.headers[.contentLanguage] == "zh-Hans")
            let answer = try await browser.get("/wallet/language?to=en&next=\(path)")
            #expect(answer.status == 303 && answer.headers[.location] == path)
            #expect(try await browser.get(path).body.contains("Check your order"))
            // What the client asked for counts where the customer chose nothing.
            let asked = try await wallet.checkout(language: "zh-Hans")
            #expect(try await wallet.browser(language: "en").get(asked).body.contains("确认订单"))
        }
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/\\evil.example", "/wallet/../x", "javascript:alert(1)", "/cashier/%2f%2fevil", "",
    ])
    func theLanguageSwitchLeadsNowhereElse(next: String) async throws {
        try await TestWallet.open { wallet in
            let answer = try await wallet.browser().get("/wallet/language?to=en&next=\(Browser.encoded(next))")
            #expect(answer.headers[.location] == "/wallet")
        }
    }

    @Test func whatStrangersWroteIsNoMarkup() async throws {
        try await TestWallet.open { wallet in
            let path = try await wallet.checkout()
            let page = try await wallet.browser().get(path)
            #expect(page.body.contains("Oolong &amp; &lt;b&gt;cup&lt;/b&gt;") && !page.body.contains("<b>cup"))
            let login = try await wallet.browser().submit("\(path)/login", ["name": #""><script>"#, "password": "x"])
            #expect(!login.body.contains("\"><script>") && login.body.contains("&quot;&gt;&lt;script&gt;"))
        }
    }

    @Test func aRefusedOrderSaysItsCode() async throws {
        try await TestWallet.open { wallet in
            wallet.gateway.change { $0.refusedOrder = ("ALI40247", #"partner="2088"&subject="<x>""#) }
            let page = try await wallet.browser().send(.post, "/cashier", form: ["order": "x"])
            #expect(page.status == 422 && page.body.contains("ALI40247") && page.body.contains("&lt;x&gt;"), "\(page.body)")
            let program = try await wallet.browser().send(.post, "/cashier", form: ["order": "x"], accept: "application/json")
            #expect(program.status == 422 && program.errorCode == "ALI40247")
            wallet.gateway.change { $0.isSilent = true }
            #expect(try await wallet.browser().send(.post, "/cashier", form: ["order": "x"]).status == 503)
        }
    }

    /// In test mode the page tells a developer what to mend; a live wallet's customer is told the code alone.
    @Test func aRefusedOrderSaysWhyInTestModeOnly() async throws {
        try await TestWallet.open(change: { $0.console = "http://127.0.0.1:8081" }) { wallet in
            wallet.gateway.change { $0.refusedOrder = ("ALI40247", "text") }
            let page = try await wallet.browser().send(.post, "/cashier", form: ["order": "x"])
            #expect(page.body.contains("signature &lt;b&gt;") && page.body.contains("sign&lt;i&gt;"), "\(page.body)")
            #expect(page.body.contains(#"href="http://127.0.0.1:8081/stories/alipay.order%3AT%2F1""#), "\(page.body)")
        }
        // A program is told the same, whichever way the order came.
        try await TestWallet.open(change: { $0.console = "http://127.0.0.1:8081" }) { wallet in
            wallet.gateway.change { $0.refusedOrder = ("ALI40247", "a=1&b=\"2\"") }
            let answer = try await wallet.browser().send(.post, "/cashier", form: ["order": "x"], accept: "application/json")
            #expect(answer.status == 422)
            #expect(
                answer.json["error"] as? [String: String] == [
                    "code": "ALI40247", "reason": "signature <b>", "parameter": "sign<i>", "verifiedText": "a=1&b=\"2\"",
                    "story": "http://127.0.0.1:8081/stories/alipay.order%3AT%2F1",
                ])
            let other = try await wallet.browser().send(.post, "/cashier", form: ["order": ""], accept: "application/json")
            #expect((other.json["error"] as? [String: String])?.keys.sorted() == ["code", "reason"], "\(other.body)")
        }
        var live = try TestWallet.configuration()
        live.mode = .production
        live.demoCustomers = []
        let refused = WalletError(
            code: .orderRefused, reason: "signature", gatewayCode: "ALI40247", verifiedText: "a=1", parameter: "sign", order: "T1")
        let text = try WalletPages(configuration: live).problem(
            refused, retry: nil, .init(texts: WalletTexts(.english), path: "/cashier", csrf: ""))
        #expect((WalletPages(configuration: live).told(refused) as? WalletError)?.details == [:])
        #expect(text.contains("ALI40247") && !text.contains("data-why") && !text.contains("a=1") && !text.contains("T1"), "\(text)")
        live.console = "http://127.0.0.1:8081"
        let invalid = #expect(throws: WalletError.self) { try live.validate() }
        #expect(invalid?.reason.contains("console") == true)
    }

    @Test func aRefusedOrderLeadsBackToTheAppThatSentIt() async throws {
        try await TestWallet.open(change: { $0.openers = ["billfoldshop": "http://127.0.0.1:8082/alipay-shop/open"] }) { wallet in
            wallet.gateway.change { $0.refusedOrder = ("ALI40247", "text") }
            let page = try await wallet.browser().send(.post, "/cashier", form: ["order": "x", "scheme": "billfoldshop"])
            #expect(page.status == 422 && page.body.contains("http://127.0.0.1:8082/alipay-shop/open?url=billfoldshop%3A%2F%2Fsafepay"))
            #expect(page.body.contains("4000"), "\(page.body)")
            // A scheme that is none leads nowhere.
            let strange = try await wallet.browser().send(.post, "/cashier", form: ["order": "x", "scheme": "javascript"])
            #expect(strange.status == 400 && !strange.body.contains("safepay"))
        }
    }

    @Test(arguments: [
        ["order": ""], [:], ["order": "x", "scheme": "javascript"], ["order": "x", "scheme": "https"], ["order": "x", "scheme": "a b"],
        ["order": "x", "scheme": "1abc"],
    ])
    func aCashierWithoutAnOrderOrWithAStrangeSchemeIsRefused(form: [String: String]) async throws {
        try await TestWallet.open { wallet in
            let answer = try await wallet.browser().send(.post, "/cashier", form: form)
            #expect(answer.status == 400)
        }
    }

    @Test func theAppSwitchLandsAndLeadsBack() async throws {
        let json = #"{"requestType":"SafePay","fromAppUrlScheme":"billfoldshop","dataString":"partner=\"2088\"&sign=\"a%2Bb\""}"#
        try await TestWallet.open(change: { $0.openers = ["billfoldshop": "http://127.0.0.1:8082/alipay-shop/open"] }) { wallet in
            let browser = wallet.browser()
            let arrived = try await browser.get("/wallet/pay?\(Browser.encoded(json))")
            let path = try #require(arrived.headers[.location])
            #expect(wallet.gateway.look { $0.bodies.first }?.contains(#"a%2Bb"#) == true)
            try await browser.logIn(TestWallet.mei, at: path + "/login")
            #expect(try await browser.submit(path, [:], to: path + "/cancel").status == 303)
            let page = try await browser.get(path)
            #expect(page.field("resultStatus") == "6001")
            #expect(page.body.contains("http://127.0.0.1:8082/alipay-shop/open?url=billfoldshop%3A%2F%2Fsafepay%2F%3F"), "\(page.body)")
            #expect(try await browser.get("/wallet/pay?nonsense").status == 400)
        }
    }

    @Test(arguments: ["javascript:alert(1)", "//evil.example", "http://a b", "https://user@shop.example/"])
    func aStrangeReturnAddressIsNoLink(address: String) async throws {
        try await TestWallet.open { wallet in
            wallet.gateway.change { $0.returnURL = address }
            let path = try await wallet.checkout(scheme: nil)
            _ = try await wallet.browser().send(.post, path + "/closing")
            let page = try await wallet.browser().get(path)
            #expect(!page.body.contains("data-way-back") && page.body.contains("close this page"))
        }
    }

    @Test func billsTellEachMovement() async throws {
        try await TestWallet.open { wallet in
            try await LinkTests.paid(wallet)
            wallet.clock.advance(by: .seconds(60))
            _ = try await wallet.link(.post, "refunds", LinkTests.refund("r-1", "4.00"))
            let browser = wallet.browser()
            try await browser.logIn(TestWallet.mei)
            let page = try await browser.get("/wallet/bills")
            for text in ["Payment to Two Leaves Tea", "−9.12 CNY", "Refund from Two Leaves Tea", "+4.00 CNY", "Top-up", "+10000.00 CNY"] {
                #expect(page.body.contains(text), "\(text)")
            }
            #expect(try await browser.get("/wallet/bills?before=x").status == 400)
        }
    }
}
