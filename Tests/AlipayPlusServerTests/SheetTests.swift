import AlipayPlus
import AlipayPlusValues
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AlipayPlusServer

/// The payment sheet as a browser is answered.
struct SheetTests {
    private struct Page {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var text: String
        /// The wallets that it offers, in their order.
        var wallets: [String] { text.matches(of: /name="wallet" value="(\w+)"/).map { String($0.output.1) } }
    }

    private static let html: HTTPFields = [.accept: "text/html"]
    private static let json: HTTPFields = [.accept: "application/json"]
    private static let nobody = "/sheet/\(String(repeating: "0", count: 32))"

    private func get(_ gateway: PlusHarness, _ path: String, _ headers: HTTPFields = html) async throws -> Page {
        try await gateway.http.execute(uri: path, method: .get, headers: headers) {
            Page(status: $0.status, headers: $0.headers, text: String(buffer: $0.body))
        }
    }

    private func choose(_ gateway: PlusHarness, _ path: String, _ form: String, _ headers: HTTPFields = html) async throws -> Page {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await gateway.http.execute(uri: "\(path)/choices", method: .post, headers: headers, body: ByteBuffer(string: form)) {
            Page(status: $0.status, headers: $0.headers, text: String(buffer: $0.body))
        }
    }

    private func sheet(_ gateway: PlusHarness, _ id: String = "p-1", region: String? = nil) async throws -> String {
        var request = gateway.payRequest(id)
        request.userRegion = region
        #expect(try await gateway.acquirer(request).result.resultCode == "PAYMENT_IN_PROCESS")
        return "/sheet/\(try await gateway.payment(id).reference)"
    }

    private func view(_ gateway: PlusHarness, _ path: String) async throws -> String {
        let text = try await get(gateway, "\(path)/state").text
        return text.firstMatch(of: /"view":"(\w+)"/).map { String($0.output.1) } ?? text
    }

    @Test func installedWalletsComeFirstThenTheNearest() async throws {
        try await PlusHarness.open { gateway async throws in
            let path = try await sheet(gateway, region: "KR")
            let plain = try await get(gateway, path)
            #expect(plain.status == .ok && plain.wallets.first == "KAKAOPAY" && plain.wallets.count == 4)
            #expect(plain.text.contains("Corner Tea") && plain.text.contains("19.99 SGD") && plain.text.contains("14:00"))
            let installed = try await get(gateway, "\(path)?installed=GCASH,NOBODY").wallets
            #expect(installed.prefix(2) == ["GCASH", "KAKAOPAY"] && installed.count == 4)
        }
    }

    @Test(arguments: AlipayPlusLanguage.allCases) func aPageSpeaksTheLanguageOfItsAddress(_ language: AlipayPlusLanguage) async throws {
        try await PlusHarness.open { gateway async throws in
            let path = try await sheet(gateway)
            let page = try await get(gateway, "\(path)?language=\(language.rawValue)")
            #expect(page.text.contains("<html lang=\"\(language.htmlTag)\">") && page.headers[.contentLanguage] == language.htmlTag)
            let texts = SheetTexts(language)
            #expect(page.text.contains(texts[.payNow]) && page.text.contains(texts(.payTo, ["merchant": "Corner Tea"])))
            let ofBrowser = try await get(
                gateway, path, [.accept: "text/html", .acceptLanguage: "xx, \(language.htmlTag);q=0.9, en;q=0.1"])
            #expect(ofBrowser.text.contains(texts[.payNow]))
            // An app says which language; what the phone's browser part speaks is not asked.
            let inApp = try await get(gateway, "\(path)?client=app&language=xx", [.accept: "text/html", .acceptLanguage: language.htmlTag])
            #expect(inApp.text.contains("Pay now") && !inApp.text.contains("<select"))
        }
    }

    @Test func everyLanguageHasEveryText() throws {
        func parts(_ sentence: String) -> Set<String> { Set(sentence.matches(of: /\{\w+\}/).map { String($0.output) }) }
        for language in AlipayPlusLanguage.allCases {
            let table = SheetTexts.table(language)
            #expect(Set(table.keys) == Set(SheetText.allCases), "\(language)")
            for (text, sentence) in table {
                let english = try #require(SheetTexts.english[text])
                #expect(!sentence.isEmpty && parts(sentence) == parts(english), "\(language).\(text)")
                #expect(language == .english || sentence != english, "\(language).\(text) is English")
            }
        }
    }

    @Test func aChoiceLeadsOnAndMovesNothing() async throws {
        try await PlusHarness.open { gateway async throws in
            let path = try await sheet(gateway)
            for _ in 0..<2 {
                let answer = try await choose(gateway, path, "wallet=GCASH&language=ko_KR")
                #expect(answer.status == .seeOther && answer.headers[.location] == "\(path)?language=ko_KR&wallet=GCASH")
            }
            let ofScript = try await choose(gateway, path, "wallet=GCASH", Self.json)
            #expect(ofScript.status == .ok && ofScript.text == #"{"walletName":"GCASH"}"#)
            let payment = try await gateway.payment("p-1")
            #expect(payment.legs.isEmpty && payment.version == 1)
            let waiting = try await get(gateway, "\(path)?wallet=GCASH")
            #expect(waiting.text.contains(#"data-view="waiting""#) && waiting.text.contains("Open GCASH"))
            #expect(gateway.recorder.entries.filter { $0.title == "wallet chosen on the sheet" }.count == 3)
        }
    }

    @Test func whatCannotBeChosenIsRefused() async throws {
        try await PlusHarness.open { gateway async throws in
            let path = try await sheet(gateway)
            #expect(try await choose(gateway, path, "wallet=NOBODY", Self.json).status == .unprocessableContent)
            #expect(try await choose(gateway, path, "language=ko_KR", Self.json).status == .badRequest)
            #expect(try await choose(gateway, Self.nobody, "wallet=GCASH", Self.json).status == .notFound)
            // People are led to the page, which says how it stands.
            let person = try await choose(gateway, path, "wallet=NOBODY")
            #expect(person.status == .seeOther && person.headers[.location]?.hasPrefix(path) == true)
            // An address that names such a wallet shows the others.
            #expect(try await get(gateway, "\(path)?wallet=NOBODY").text.contains(#"data-view="open""#))
            for (name, value) in [("Origin", "https://elsewhere.example"), ("Sec-Fetch-Site", "cross-site")] {
                var headers = Self.html
                let field = try #require(HTTPField.Name(name))
                headers[field] = value
                #expect(try await choose(gateway, path, "wallet=GCASH", headers).status == .forbidden)
            }
            _ = try await gateway.acquirer(CancelPaymentRequest(paymentRequestId: "p-1"))
            #expect(try await choose(gateway, path, "wallet=GCASH", Self.json).status == .conflict)
        }
    }

    @Test func thePageFollowsItsPayment() async throws {
        try await PlusHarness.open { gateway async throws in
            let path = try await sheet(gateway)
            #expect(try await view(gateway, path) == "open")
            let scanned = try await gateway.scan(try await gateway.orderCode("p-1"), .gcash)
            #expect(try await view(gateway, path) == "waiting")
            #expect(try await get(gateway, path).text.contains("Waiting for GCASH"))
            #expect(try await get(gateway, "\(path)?choose=again").text.contains("Pay now"))
            try await gateway.work()
            _ = try await gateway.tell(.gcash, try #require(scanned.paymentRequestId))
            #expect(try await view(gateway, path) == "paid")
            #expect(try await get(gateway, path).text.contains("GCASH has paid 19.99 SGD to Corner Tea."))
        }
    }

    @Test func timeThatIsOverIsNotCalledUnpaidWhileAWalletMayHaveTaken() async throws {
        try await PlusHarness.open { gateway async throws in
            let (left, asked) = (try await sheet(gateway, "p-1"), try await sheet(gateway, "p-2"))
            _ = try await gateway.scan(try await gateway.orderCode("p-2"), .gcash)
            gateway.clock.advance(by: .seconds(14 * 60))
            #expect(try await view(gateway, left) == "expired")
            #expect(try await get(gateway, asked).text.contains("no wallet took the money"))
            try await gateway.pass(.seconds(120))
            #expect(try await view(gateway, asked) == "expired")
            #expect(try await choose(gateway, left, "wallet=GCASH", Self.json).status == .conflict)
        }
    }

    @Test func nobodyFramesTheSheetButRegisteredOriginsInTestMode() async throws {
        try await PlusHarness.open { gateway async throws in
            let path = try await sheet(gateway)
            let policy = try #require(try await get(gateway, path).headers[.contentSecurityPolicy])
            #expect(policy.contains("frame-ancestors http://127.0.0.1:9300") && policy.hasPrefix("default-src 'self'; base-uri 'none'"))
            let missing = try await get(gateway, Self.nobody)
            #expect(missing.status == .notFound && missing.text.contains("No such payment"))
            #expect(missing.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
        }
        #expect(SheetRoutes.policy([]).contains("frame-ancestors 'none'"))
        #expect(SheetRoutes.policy(["http://a.example;script-src *"]).contains("frame-ancestors 'none'"))
    }

    @Test(arguments: [
        ("https://shop.example/done", true), ("shopapp://done", true), ("javascript:alert(1)", false), ("JavaScript:alert(1)", false),
        ("data:text/html,x", false), ("intent://x", false), ("/relative", false), ("", false), (" javascript:alert(1)", false),
    ]) func onlyAddressesThatLeadAreLinks(url: String, isLink: Bool) {
        #expect((SheetLink.any(url) != nil) == isLink)
        #expect(SheetLink.page("shopapp://done") == nil)
    }

    @Test func otherScenariosHaveNoSheet() async throws {
        try await PlusHarness.open { gateway async throws in
            _ = try await gateway.acquirer(gateway.payRequest("p-1", scenario: .orderCode))
            _ = try await gateway.acquirer(gateway.payRequest("p-2", scenario: .entryCode))
            let (order, entry) = (try await gateway.payment("p-1"), try await gateway.payment("p-2"))
            #expect(try await get(gateway, "/sheet/\(order.reference)").status == .notFound)
            #expect(try await get(gateway, "/entry/\(entry.reference)").text.contains("Pay now"))
        }
    }
}
