import Foundation
import Synchronization
import Testing
import WalletAPI

private final class Backend: AuthorizationBackend {
    struct State {
        var forbidden: [String: String] = [:]
        var failure: (any Error)?
        var asked: [String] = []
    }

    let state = Mutex(State())

    private func note(_ what: String) throws {
        try state.withLock { state in
            state.asked.append(what)
            if let failure = state.failure { throw failure }
        }
    }

    func standing(of question: ScopeQuestion) async throws -> ScopeStanding {
        try note("standing")
        let forbidden = state.withLock { $0.forbidden }.filter { question.scopes.contains($0.key) }
        let rest = question.scopes.subtracting(forbidden.keys)
        return ScopeStanding(silent: rest.intersection(["auth_base"]), ask: rest.subtracting(["auth_base"]), forbidden: forbidden)
    }

    func acknowledge(_ question: ScopeQuestion) async throws -> String? {
        try note("acknowledge \(question.scopes.sorted())")
        return "agreement-1"
    }

    func applyAuthCode(_ question: ScopeQuestion) async throws -> AuthorizationGrant {
        try note("apply \(question.scopes.sorted())")
        return AuthorizationGrant(authCode: "code", successScopes: question.scopes.sorted())
    }

    func revoke(userID: String, clientID: String, appID: String) async throws { try note("revoke \(userID) \(appID)") }
}

private final class Page: ConsentPage {
    let agrees: Bool
    let questions = Mutex<[ConsentQuestion]>([])
    init(agrees: Bool = true) { self.agrees = agrees }

    func asks(_ question: ConsentQuestion) async -> Bool {
        questions.withLock { $0.append(question) }
        return agrees
    }
}

@Suite struct ConsentingOAuthServiceTests {
    private let backend = Backend()
    private let cache = MemoryScopeCache()

    private func authorise(_ scopes: Set<String>, page: Page, user: String? = "u") async -> AuthorizationOutcome {
        let service = ConsentingOAuthService(backend: backend, page: page, cache: cache, userID: { user })
        return await AuthorizationWorkflow(services: WalletServices(oauth: service)).authCode(
            for: AuthorizationRequest(userID: "u", appID: "a", authClientID: "c", name: "Tea", logo: "", scopes: scopes))
    }

    @Test func agreeingIsAskedOnceForWhatIsMissing() async {
        let page = Page()
        _ = await authorise(["auth_base", "USER_NAME"], page: page)
        let outcome = await authorise(["auth_base", "USER_NAME", "USER_AVATAR"], page: page)
        #expect(outcome == .granted(.init(authCode: "code", successScopes: ["USER_AVATAR", "USER_NAME", "auth_base"])))
        #expect(page.questions.withLock { $0.map(\.scopes) } == [["USER_NAME"], ["USER_AVATAR"]])
        #expect(cache.scopes(for: .init(userID: "u", appID: "a")) == ["USER_NAME", "USER_AVATAR"])
    }

    @Test func refusingCachesNothing() async {
        guard case .refused(let refusal) = await authorise(["USER_NAME"], page: Page(agrees: false)) else {
            return #expect(Bool(false), "granted")
        }
        #expect(refusal.cause == .userCancelled && cache.scopes(for: .init(userID: "u", appID: "a")).isEmpty)
    }

    @Test func forbiddenScopesAreRefusedAlone() async {
        backend.state.withLock { $0.forbidden = ["CARD_LIST": "not for this mini program"] }
        let page = Page()
        let outcome = await authorise(["auth_base", "CARD_LIST"], page: page)
        #expect(
            outcome
                == .granted(.init(authCode: "code", successScopes: ["auth_base"], errorScopes: ["CARD_LIST": "not for this mini program"])))
        #expect(page.questions.withLock { $0 }.isEmpty)
        guard case .refused(let refusal) = await authorise(["CARD_LIST"], page: page) else { return #expect(Bool(false), "granted") }
        #expect(refusal.errorScopes.keys.contains("CARD_LIST"))
        #expect(!backend.state.withLock { $0.asked }.contains { $0.contains("apply") && $0.contains("CARD_LIST") })
    }

    @Test func nobodySignedInGetsNoCode() async {
        guard case .refused(let refusal) = await authorise(["auth_base"], page: Page(), user: nil) else {
            return #expect(Bool(false), "granted")
        }
        #expect(refusal.reason == "nobody is signed in")
    }

    @Test func serverFailureHidesItsText() async {
        struct Leaky: Error, CustomStringConvertible { var description: String { "token=s3cret" } }
        backend.state.withLock { $0.failure = Leaky() }
        guard case .refused(let refusal) = await authorise(["auth_base"], page: Page()) else { return #expect(Bool(false), "granted") }
        #expect(refusal.code == .unknownError && !refusal.reason.contains("s3cret"))
    }

    @Test func revokingForgetsEvenWhenTheServerFails() async {
        let service = ConsentingOAuthService(backend: backend, page: Page(), cache: cache, userID: { "u" })
        cache.add(["USER_NAME"], for: .init(userID: "u", appID: "a"))
        backend.state.withLock { $0.failure = WalletFailure(.timeout, "late") }
        let result = await service.revokeAuthorization(userId: "u", clientId: "c", appId: "a")
        #expect(result.failure?.code == .timeout && cache.scopes(for: .init(userID: "u", appID: "a")).isEmpty)
        cache.add(["USER_NAME"], for: .init(userID: "u", appID: "b"))
        service.signOut(userID: "u")
        #expect(await service.getAuthorizedScopes(userId: "u", clientId: "c", appId: "b").authorizedScopes.isEmpty)
    }
}

@Suite struct CashierPaymentServiceTests {
    private struct Cashier: WalletCashier {
        var ending: @Sendable () throws -> PaymentEnding
        func pays(_ order: CashierOrder, in context: IAPWalletAPIContext?) async throws -> PaymentEnding { try ending() }
    }

    private func pay(_ request: IAPWalletPaymentRequest, _ ending: @escaping @Sendable () throws -> PaymentEnding) async
        -> IAPWalletPaymentResult
    {
        await CashierPaymentService(cashier: Cashier(ending: ending)).pay(with: request)
    }

    @Test(arguments: PaymentEnding.allCases)
    func endingsKeepTheirCode(ending: PaymentEnding) async {
        let result = await pay(IAPWalletPaymentRequest(tradeNO: "1")) { ending }
        #expect(result.resultCode == ending.rawValue && result.ending == ending)
        #expect((result.resultMessage != nil) == ["6002", "6004", "8000"].contains(ending.rawValue))
    }

    @Test func somethingThrownIsUnknownAndNeverFailed() async {
        struct Lost: Error {}
        #expect(await pay(IAPWalletPaymentRequest(orderStr: "o")) { throw Lost() }.ending == .unknown)
        #expect(await pay(IAPWalletPaymentRequest(orderStr: "o")) { throw WalletFailure(.appServiceError, "closed") }.ending == .failed)
    }

    @Test func exactlyOneFormIsTaken() async throws {
        let none = await pay(IAPWalletPaymentRequest(tradeNO: "", orderStr: nil)) { .paid }
        #expect(none.failure?.reason == "one of tradeNO, orderStr and paymentUrl is needed, and there is none")
        let both = await pay(IAPWalletPaymentRequest(tradeNO: "1", paymentUrl: "https://a.test")) { .paid }
        #expect(both.failure?.reason.hasSuffix("there is tradeNO and paymentUrl") == true)
        #expect(await pay(IAPWalletPaymentRequest(tradeNO: String(repeating: "1", count: 65))) { .paid }.failure != nil)
        #expect(await pay(IAPWalletPaymentRequest(paymentUrl: "http://127.0.0.1/")) { .paid }.failure != nil)
        #expect(await pay(IAPWalletPaymentRequest(paymentUrl: "javascript:x")) { .paid }.failure != nil)
        #expect(try CashierOrder(IAPWalletPaymentRequest(paymentUrl: "http://127.0.0.1:80/"), allowsLoopback: true) != .tradeNumber(""))
        #expect(try CashierOrder(IAPWalletPaymentRequest(orderStr: "a=1")) == .orderString("a=1"))
    }
}

@Suite struct DecodingCodeServiceTests {
    private actor Pictures: CodePictureSource {
        var pictures: [CodePicture]
        init(_ pictures: [CodePicture]) { self.pictures = pictures }
        func nextPicture(albumAllowed: Bool) async -> CodePicture? { pictures.isEmpty ? nil : pictures.removeFirst() }
    }

    private struct Decoder: CodeDecoding {
        struct Broken: Error {}
        func codes(in picture: CodePicture) throws -> [DecodedCode] {
            switch picture.bytes {
            case [1]: [DecodedCode(text: "qr", type: .qrCode)]
            case [2]: [DecodedCode(text: "qr", type: .qrCode), DecodedCode(text: "bar", type: .barCode)]
            case [9]: throw Broken()
            default: []
            }
        }
    }

    private func scan(_ pictures: [([UInt8], CodePicture.Origin)], _ option: IAPWalletScannerOption = .init()) async
        -> IAPWalletScannerResult
    {
        let source = Pictures(pictures.map { CodePicture(bytes: $0.0, origin: $0.1) })
        return await DecodingCodeService(source: source, decoder: Decoder()).scan(with: option)
    }

    @Test func cameraIsWatchedUntilACodeIsThere() async {
        let result = await scan([([0], .camera), ([9], .camera), ([1], .camera)])
        #expect(result.code == "qr" && result.codeType == .qrCode && result.failure == nil)
    }

    @Test func kindThatWasAskedForIsPreferredAndNotRequired() async {
        #expect(await scan([([2], .camera)], IAPWalletScannerOption(type: .barCode)).code == "bar")
        let other = await scan([([1], .camera)], IAPWalletScannerOption(type: .barCode))
        #expect(other.code == "qr" && other.codeType == .qrCode)
    }

    @Test func albumPictureWithoutCodeIsUnknownError() async {
        #expect(await scan([([0], .album), ([1], .album)]).failure?.code == .unknownError)
        #expect(await scan([([9], .album)]).failure?.code == .unknownError)
    }

    @Test func leavingIsTheUsersCancel() async { #expect(await scan([([0], .camera)]).failure?.code == .userCancel) }

    @Test func hiddenAlbumStaysHidden() async {
        #expect(await scan([([1], .album)], IAPWalletScannerOption(hideAlbum: true)).failure?.code == .appServiceError)
    }
}

@Suite struct TableDeepLinkServiceTests {
    @Test func tableOpensWhatIsInItAndAnswersTheRest() async throws {
        let table = TableDeepLinkService()
        table.register(scene: SCENE_TOP_UP) { parameters, _ in ["topped": parameters["amount"] ?? ""] }
        table.register(scene: SCENE_BIND_CARD) { _, _ in throw WalletFailure(.userCancel, "left") }
        #expect(await table.open(bizSceneCode: SCENE_TOP_UP, with: ["amount": "5"]).extendedInfo == ["topped": "5"])
        #expect(await table.open(bizSceneCode: SCENE_BIND_CARD).failure?.code == .userCancel)
        let unknown = await table.open(bizSceneCode: "NO\nWHERE")
        #expect(unknown.failure == WalletFailure(.appServiceError, "scene \"NO?WHERE\" opens nothing here"))
    }

    @Test @MainActor func hostGoesBeforeScheme() throws {
        let table = TableDeepLinkService()
        let opened = Mutex<[String]>([])
        table.register(scheme: "Wallet") { _, _ in
            opened.withLock { $0.append("any") }
            return true
        }
        table.register(scheme: "wallet", host: "card") { url, _ in
            opened.withLock { $0.append("card") }
            return url.path() != "/closed"
        }
        #expect(table.open(scheme: try #require(URL(string: "wallet://card/1"))))
        #expect(table.open(scheme: try #require(URL(string: "WALLET://card/closed"))))
        #expect(!table.open(scheme: try #require(URL(string: "other://card"))))
        #expect(opened.withLock { $0 } == ["card", "card", "any"])
    }
}
