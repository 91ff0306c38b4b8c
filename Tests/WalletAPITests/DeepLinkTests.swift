import Foundation
import Synchronization
import Testing
import WalletAPI

@Suite struct DeepLinkTests {
    private let policy = DeepLinkPolicy(
        scenes: ["WEB_PAGE", "SCAN", "SCHEME"], hosts: ["pay.example.com", ".shop.example", "dev.example:8443", "http://127.0.0.1:8080"],
        schemes: ["wallet"])

    private func code(_ address: String, webPage: Bool = false) -> DeepLinkRefusal.Code? {
        do {
            _ = try policy.check(address, webPage: webPage)
            return nil
        } catch { return error.code }
    }

    @Test(arguments: [
        "https://pay.example.com/a?b=c#d", "HTTPS://PAY.EXAMPLE.COM", "https://a.shop.example/", "https://dev.example:8443/x",
        "https://pay.example.com:443/", "wallet://topup/now?x=%E4%BD%A0", "http://127.0.0.1:8080/cashier",
        "https://pay.example.com/?next=https%3A%2F%2Fx.test%2F%3Fq%3D%2520",
    ])
    func listedAddressIsTaken(address: String) { #expect(code(address) == nil) }

    @Test(
        arguments: [
            // Schemes that run something, in any spelling.
            ("javascript:alert(1)", .dangerousScheme), ("JaVaScRiPt://pay.example.com/%0aalert(1)", .dangerousScheme),
            ("data:text/html,x", .dangerousScheme), ("file:///etc/passwd", .dangerousScheme), ("intent://x#Intent;end", .dangerousScheme),
            ("java\tscript:alert(1)", .unsafeAddress), (" javascript:alert(1)", .unsafeAddress), ("java%73cript://x/", .unsafeAddress),
            // Hosts that only look listed.
            ("https://pay.example.com@evil.test/", .unsafeAddress), ("https://pay.example.com%40evil.test/", .unsafeAddress),
            ("https://pay.example.com\\@evil.test/", .unsafeAddress), ("https://evil.test/pay.example.com", .hostNotListed),
            ("https://pay.example.com.evil.test/", .hostNotListed), ("https://evilpay.example.com/", .hostNotListed),
            ("https://evilshop.example/", .hostNotListed), ("https://shop.example/", .hostNotListed),
            ("https://.shop.example/", .unsafeAddress),
            ("https://pay.example.com./", .unsafeAddress), ("https://pay。example.com/", .unsafeAddress),
            ("https://p%61y.example.com/", .unsafeAddress), ("https://pаy.example.com/", .unsafeAddress),
            ("https:pay.example.com", .unsafeAddress),
            ("//pay.example.com/", .unsafeAddress), ("https:///pay.example.com/", .unsafeAddress), ("https://[::1]/", .unsafeAddress),
            ("https://pay.example.com:8443/", .hostNotListed), ("https://pay.example.com:0443/", .unsafeAddress),
            ("https://2130706433/", .hostNotListed),
            // Paths that mean another place.
            ("https://pay.example.com/a/../b", .unsafeAddress), ("https://pay.example.com/a/%2e%2e/b", .unsafeAddress),
            ("https://pay.example.com/%252e%252e/b", .unsafeAddress), ("https://pay.example.com/a%2fb", .unsafeAddress),
            ("https://pay.example.com/%0d%0aSet-Cookie:x", .unsafeAddress), ("https://pay.example.com/?a=%250d%250a", .unsafeAddress),
            ("https://pay.example.com/?a=%25252e", .unsafeAddress), ("https://pay.example.com/?a=%zz", .unsafeAddress),
            ("https://pay.example.com/a b", .unsafeAddress), ("", .unsafeAddress),
            // Schemes that nobody listed.
            ("http://pay.example.com/", .schemeNotListed), ("other://x/", .schemeNotListed), ("http://127.0.0.1:8081/", .schemeNotListed),
            ("http://127.0.0.1.evil.test:8080/", .schemeNotListed),
        ] as [(String, DeepLinkRefusal.Code)])
    func trickIsRefused(address: String, expected: DeepLinkRefusal.Code) { #expect(code(address) == expected, "\(address)") }

    @Test func overlongAddressIsRefused() {
        #expect(code("https://pay.example.com/" + String(repeating: "a", count: 3_000)) == .unsafeAddress)
    }

    @Test func webPageTakesNoAppScheme() { #expect(code("wallet://x/", webPage: true) == .schemeNotListed) }

    // MARK: The workflow

    private let links = SampleDeepLinkService()
    private let context = IAPWalletAPIContext(appId: "a", appName: "Tea")

    private func workflow(approve: (@Sendable (DeepLinkPrompt) async -> Bool)? = nil) -> DeepLinkWorkflow {
        DeepLinkWorkflow(services: WalletServices(deepLink: links), policy: { [policy] in $0 == "a" ? policy : nil }, approve: approve)
    }

    private func refusal(_ scene: String, _ parameters: [String: String] = [:], gesture: Bool = true, app: String = "a") async
        -> DeepLinkRefusal?
    {
        do {
            _ = try await workflow().open(scene: scene, with: parameters, in: IAPWalletAPIContext(appId: app), hasGesture: gesture)
            return nil
        } catch { return error }
    }

    @Test func listedSceneIsOpenedAndAnswers() async throws {
        #expect(try await workflow().open(scene: "SCAN", with: [:], in: context, hasGesture: true) == ["code": "scanned"])
        #expect(await refusal("WEB_PAGE", ["url": "https://pay.example.com/1"]) == nil)
        #expect(links.opened.withLock { $0 } == ["https://pay.example.com/1"])
    }

    @Test func whatIsNotListedIsRefusedBeforeTheService() async {
        #expect(await refusal("QR_PAY")?.code == .sceneNotListed)
        #expect(await refusal("QR_PAY")?.jsapiError == 4)
        #expect(await refusal("WEB_PAGE")?.code == .missingParameter)
        #expect(await refusal("WEB_PAGE", ["url": "https://evil.test/"])?.code == .hostNotListed)
        #expect(await refusal("WEB_PAGE", ["url": "javascript:alert(1)"])?.code == .dangerousScheme)
        #expect(await refusal("SCHEME", ["scheme": "other://x"])?.code == .schemeNotListed)
        #expect(await refusal("SCAN", gesture: false)?.code == .noGesture)
        #expect(await refusal("SCAN", app: "b")?.code == .sceneNotListed)
        #expect(links.opened.withLock { $0 }.isEmpty)
    }

    @Test func personIsToldWhoAsksAndMayDecline() async {
        let prompts = Mutex<[DeepLinkPrompt]>([])
        let workflow = workflow { prompt in
            prompts.withLock { $0.append(prompt) }
            return prompt.destination != "scheme wallet"
        }
        await #expect(throws: DeepLinkRefusal(.declined, "the person declined")) {
            try await workflow.open("wallet://topup", in: context, hasGesture: true)
        }
        #expect(prompts.withLock { $0.map(\.appName) } == ["Tea"] && links.opened.withLock { $0 }.isEmpty)
    }

    @Test func addressThatNothingTakesIsNotOpened() async {
        await #expect(throws: DeepLinkRefusal(.notOpened, "the super app opens nothing for the scheme wallet")) {
            try await workflow().open("wallet://topup", in: context, hasGesture: true)
        }
    }
}
