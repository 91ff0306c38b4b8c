import BillfoldDiagnosis
import Foundation
import IAPWalletContext
import Synchronization
import Testing

/// Every branch of the documented samples, through the workflow where they have one.
@Suite struct SampleTests {
    private let oauth = SampleOAuthService()

    private func authorise(_ scopes: Set<String>) async -> AuthorizationOutcome {
        await AuthorizationWorkflow(services: WalletServices(oauth: oauth)).authCode(
            for: AuthorizationRequest(userID: "u1", appID: "app1", authClientID: "client1", name: "Tea", logo: "", scopes: scopes))
    }

    @Test func silentScopeNeedsNoPage() async {
        #expect(await authorise(["auth_base"]) == .granted(.init(authCode: "code-1", successScopes: ["auth_base"])))
        #expect(oauth.page.shown.withLock { $0 }.isEmpty)
    }

    @Test func agreeingShowsOnePageAndThenNone() async {
        #expect(await authorise(["USER_NAME"]) == .granted(.init(authCode: "code-1", successScopes: ["USER_NAME"])))
        #expect(await authorise(["USER_NAME"]) == .granted(.init(authCode: "code-2", successScopes: ["USER_NAME"])))
        #expect(oauth.page.shown.withLock { $0 } == [["USER_NAME"]])
    }

    @Test func supersetAsksAgainAndTheCacheGrows() async {
        _ = await authorise(["USER_NAME"])
        _ = await authorise(["USER_NAME", "USER_AVATAR"])
        #expect(oauth.page.shown.withLock { $0.count } == 2)
        let known = await oauth.getAuthorizedScopes(userId: "u1", clientId: "client1", appId: "app1")
        #expect(known.authorizedScopes == ["USER_AVATAR", "USER_NAME"])
        #expect(await oauth.getAuthorisedScopes(userId: "u2", clientId: "client1", appId: "app1").authorisedScopes == [])
    }

    @Test func refusingIsTheUsersCancel() async {
        oauth.page.agrees.withLock { $0 = false }
        guard case .refused(let refusal) = await authorise(["USER_NAME"]) else { return #expect(Bool(false), "granted") }
        #expect(refusal.cause == .userCancelled && refusal.code == .userCancel)
        #expect(oauth.page.shown.withLock { $0.count } == 1)
    }

    @Test func serverFailureIsUnknownError() async {
        oauth.server.set { $0.isUp = false }
        guard case .refused(let refusal) = await authorise(["auth_base"]) else { return #expect(Bool(false), "granted") }
        #expect(refusal.cause == .serviceFailed && refusal.code == .unknownError)
    }

    @Test func partOfTheScopesIsASuccess() async {
        oauth.server.set { $0.refusedScopes = ["USER_BIRTHDAY": "not verified"] }
        let outcome = await authorise(["auth_base", "USER_BIRTHDAY"])
        #expect(
            outcome
                == .granted(.init(authCode: "code-1", successScopes: ["auth_base"], errorScopes: ["USER_BIRTHDAY": "not verified"])))
    }

    @Test func agreementIdComesThrough() async {
        oauth.server.set { $0.agreementID = "agreement-7" }
        let page = await oauth.showAuthPage(clientId: "c", name: "n", logo: "l", scopes: ["USER_NAME"])
        #expect(page.failure == nil && page.referenceAgreementId == "agreement-7")
    }

    @Test func forgettingToCacheIsNamed() async {
        oauth.forgets.withLock { $0 = true }
        let findings = Mutex<[String]>([])
        let workflow = AuthorizationWorkflow(services: WalletServices(oauth: oauth)) { finding in
            findings.withLock { $0.append(finding.code) }
        }
        let outcome = await workflow.authCode(
            for: AuthorizationRequest(userID: "u1", appID: "app1", authClientID: "client1", name: "Tea", logo: "", scopes: ["USER_NAME"]))
        guard case .refused(let refusal) = outcome else { return #expect(Bool(false), "granted") }
        #expect(refusal.cause == .consentNotCached && refusal.code != .authPendingAgreement && refusal.reason.contains("remember"))
        #expect(findings.withLock { $0 } == ["wallet-api.consent-not-cached"])
        #expect(oauth.page.shown.withLock { $0.count } == 1)
    }

    @Test func scannerHasThreeBranches() async {
        let scanner = SampleCodeService()
        let left = await scanner.scan(with: IAPWalletScannerOption())
        #expect(left.failure?.code == .userCancel && left.code == nil)
        scanner.next.withLock { $0 = .nothing }
        #expect(await scanner.scan(with: IAPWalletScannerOption(type: .barCode, hideAlbum: true)).failure?.code == .unknownError)
        #expect(scanner.albumOffered.withLock { $0 } == false)
        scanner.next.withLock { $0 = .code("6901234567892") }
        let read = await scanner.scan(with: IAPWalletScannerOption(type: .barCode))
        #expect(read.failure == nil && read.code == "6901234567892")
    }

    @Test @MainActor func schemeIsOpenedOnlyByItsOwner() throws {
        let links = SampleDeepLinkService()
        #expect(links.open(scheme: try #require(URL(string: "samplewallet://page/1"))))
        #expect(!links.open(scheme: try #require(URL(string: "other://page/1"))))
        #expect(links.opened.withLock { $0 } == ["samplewallet://page/1"])
    }

    @Test(arguments: [SCENE_QR_PAY, SCENE_BIND_CARD, SCENE_TOP_UP, SCENE_DEEPLINK_SCHEME])
    func sceneIsOpened(scene: String) async {
        let links = SampleDeepLinkService()
        #expect(await links.open(bizSceneCode: scene).failure == nil)
        #expect(links.opened.withLock { $0 } == [scene])
    }

    @Test func scenesTakeAndAnswerTexts() async {
        let links = SampleDeepLinkService()
        #expect(await links.open(bizSceneCode: SCENE_WEB_PAGE, with: ["url": "https://a.test"]).failure == nil)
        #expect(await links.open(bizSceneCode: SCENE_WEB_PAGE).failure?.code == .appServiceError)
        #expect(await links.open(bizSceneCode: SCENE_SCAN).extendedInfo == ["code": "scanned"])
        #expect(links.opened.withLock { $0 } == ["https://a.test"])
    }

    @Test func droppedSceneIsAnsweredWithItsName() async {
        let result = await SampleDeepLinkService().open(bizSceneCode: "MOON_LANDING")
        #expect(result.failure?.code == .appServiceError && result.failure?.reason.contains("\"MOON_LANDING\"") == true)
    }
}
