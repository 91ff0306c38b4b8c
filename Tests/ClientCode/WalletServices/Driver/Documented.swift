import Foundation
import UIKitSimulator
import WalletAPI

/// The documents' samples, each to its documented outcomes.
@MainActor
struct Documented {
    private let stage: Stage
    private let links = DeeplinkService()
    private let codes = CodeService()
    private let services: WalletServices

    init(_ stage: Stage) {
        self.stage = stage
        services = WalletServices(
            oauth: OAuthService(), payment: PaymentService(), code: codes, deepLink: links, member: MemberInfoService())
    }

    func run() async {
        await authorisation()
        await consentOfThePage()
        await payment()
        await scanner()
        await deepLinks()
        await members()
    }

    private func authorisation() async {
        let services = services
        let silent = await services.authorise(["auth_base"])
        stage.expect(silent == .granted(.init(authCode: "code-1", successScopes: ["auth_base"])), "a silent scope needs no page")
        let pending = await services.oauth.getAuthCode(clientId: "client-1", scopes: ["USER_NAME"])
        stage.expect(
            pending.failure == WalletFailure(.authPendingAgreement, "the user has to agree first"),
            "a scope that is not agreed to is pending, code 2001 with its description")
        let agreed = await stage.tapping("Agree") { await services.authorise(["USER_NAME"]) }
        stage.expect(agreed == .granted(.init(authCode: "code-2", successScopes: ["USER_NAME"])), "agreeing gives a code")
        let again = await services.authorise(["USER_NAME"])
        stage.expect(again == .granted(.init(authCode: "code-3", successScopes: ["USER_NAME"])), "agreed scopes need no second page")
        let refused = await stage.tapping("Refuse") { await services.authorise(["USER_NAME", "USER_AVATAR"]) }
        stage.expect(refused.refusal?.cause == .userCancelled && refused.refusal?.code == .userCancel, "refusing is the user's cancel")
        AuthServer.shared.isReachable = false
        let failed = await services.authorise(["auth_base"])
        AuthServer.shared.isReachable = true
        stage.expect(failed.refusal?.cause == .serviceFailed && failed.refusal?.code == .unknownError, "a failing server is code 1000")
        let known = await services.oauth.getAuthorizedScopes(userId: "user-1", clientId: "client-1", appId: "app-1")
        stage.expect(known.authorizedScopes == ["USER_NAME"], "what was agreed to is known")
    }

    private func consentOfThePage() async {
        let services = services
        AuthServer.shared.agreementId = "agreement-7"
        let page = await stage.tapping("Agree") {
            await services.oauth.showAuthPage(clientId: "client-1", name: "Tea", logo: "", scopes: ["USER_GENDER"])
        }
        stage.expect(page.failure == nil && page.referenceAgreementId == "agreement-7", "the server's agreement comes through")
        AuthServer.shared.agreementId = nil
        let plain = await stage.tapping("Agree") {
            await services.oauth.showAuthPage(clientId: "client-1", name: "Tea", logo: "", scopes: ["USER_GENDER"])
        }
        stage.expect(plain.failure == nil && plain.referenceAgreementId == nil, "an agreement without a server has no id")
        let lost = await stage.withoutRoot { await services.authorise(["USER_BIRTHDAY"]) }
        stage.expect(lost.refusal?.cause == .serviceFailed, "a page that cannot be shown answers all the same")
    }

    private func payment() async {
        let services = services
        let order = IAPWalletPaymentRequest(tradeNO: "2026112900001")
        let paid = await stage.tapping("Confirm") { await services.payment.pay(with: order) }
        stage.expect(paid.resultCode == "9000" && paid.ending == .paid && paid.resultMessage == "paid", "confirming is 9000")
        let cancelled = await stage.tapping("Cancel") { await services.payment.pay(with: order) }
        stage.expect(cancelled.resultCode == "6001" && cancelled.ending == .cancelled, "cancelling is 6001")
        let unknown = await stage.tapping("Lose the network") { await services.payment.pay(with: order) }
        stage.expect(unknown.failure?.code == .timeout && unknown.ending == .unknown, "a time-out is an unknown end, never a failure")
        let nothing = await services.payment.pay(with: IAPWalletPaymentRequest())
        stage.expect(nothing.failure == WalletFailure(.appServiceError, "nothing to pay") && nothing.ending == .failed, "nothing to pay")
        let lost = await stage.withoutRoot { await services.payment.pay(with: order) }
        stage.expect(lost.ending == .unknown, "a cashier that is lost is an unknown end")
    }

    private func scanner() async {
        func scan(_ option: IAPWalletScannerOption, _ act: (ScannerViewController) -> Void) async -> IAPWalletScannerResult {
            let services = services
            let answer = Task { await services.code.scan(with: option) }
            if let scanner = await stage.shown(ScannerViewController.self) { act(scanner) }
            return await answer.value
        }
        let read = await scan(IAPWalletScannerOption()) { $0.read("https://qr.alipayplus.com/281002") }
        stage.expect(read.failure == nil && read.code == "https://qr.alipayplus.com/281002", "a code is read")
        stage.expect(CodeLinkRule.alipayPlus.accepts(read), "it is a code of Alipay+")
        var wasHidden = false
        let bar = await scan(IAPWalletScannerOption(type: .barCode, hideAlbum: true)) {
            wasHidden = $0.isAlbumHidden && $0.title == "Bar code"
            $0.read("6901234567892")
        }
        stage.expect(wasHidden && bar.code == "6901234567892", "kind and album reach the scanner")
        let nothing = await scan(IAPWalletScannerOption()) { $0.findNothing() }
        stage.expect(nothing.failure?.code == .unknownError && nothing.code == nil, "a picture without a code is 1000")
        let left = await scan(IAPWalletScannerOption()) { $0.cancel() }
        stage.expect(left.failure?.code == .userCancel && left.code == nil, "leaving is 1001")
        stage.expect(stage.root.presentedViewController == nil, "the scanner is gone")
    }

    private func deepLinks() async {
        let screen = SimulatedScreen.current
        screen.install(schemes: ["wallet"])
        stage.expect(await services.jump("wallet://topup") == nil, "a scheme that an app takes is opened")
        stage.expect(await services.jump("nobody://x") == .notOpened, "a scheme that nobody takes is not")
        stage.expect(await services.jump("javascript://x") == .dangerousScheme, "a dangerous scheme never reaches the app")
        let page = await services.scene("WEB_PAGE", ["url": "https://pay.wallet.example/1"])
        stage.expect(page == .success([:]), "a web page is opened by the base class's constant")
        stage.expect(
            screen.openedLinks.map(\.absoluteString) == ["wallet://topup", "https://pay.wallet.example/1"],
            "both left the app, and no other")
        stage.expect(await services.scene("QR_CODE") == .success([:]), "QR_CODE is a scene")
        stage.expect(await services.scene("QR_PAY") == .success([:]) && links.shownPages == ["my code", "my code"], "so is QR_PAY")
        stage.expect(await services.scene("SCAN") == .success(["code": "https://qr.alipayplus.com/281002"]), "a scene's data come back")
        _ = await services.scene("BIND_CARD")
        _ = await services.scene("TOP_UP")
        stage.expect(links.shownPages.suffix(2) == ["BIND_CARD", "TOP_UP"], "cards and top-up have pages")
        stage.expect(await services.scene("SCHEME", ["url": "wallet://card"]) == .success([:]), "the deprecated form opens a link")
        let untaken = await services.deepLink.open(bizSceneCode: "SCHEME", with: ["url": "nobody://x"])
        stage.expect(untaken.failure == WalletFailure(.appServiceError, "nothing takes the link"), "a link that nothing takes is 1002")
        let missing = await services.deepLink.open(bizSceneCode: "WEB_PAGE")
        stage.expect(missing.failure == WalletFailure(.appServiceError, "url is missing"), "a page without an address is 1002")
        let dropped = await services.deepLink.open(bizSceneCode: "MOON")
        stage.expect(
            dropped.failure?.code == .appServiceError && dropped.failure?.reason.contains("MOON") == true, "a dropped scene is answered")
        screen.comeToFront()
    }

    private func members() async {
        let local = await services.member.getMemberInfo(strategy: .localUserIdOnly).memberInfo
        stage.expect(local?.userId == "user-1" && local?.nickName == nil, "the id alone")
        stage.expect(await services.member.getMemberInfo(strategy: .localCached).memberInfo?.nickName == "Ada", "what is remembered")
        let scope = IAPWalletMemberInfoScope(scopes: ["auth_user"])
        let remote = await services.member.getMemberInfo(strategy: .remoteFetch, scope: scope).memberInfo
        stage.expect(remote?.avatar == "https://img.wallet.example/ada.png" && remote?.extendedInfo == ["level": "gold"], "the latest")
        Account.current.isServerReachable = false
        let late = await services.member.getMemberInfo(strategy: .remoteFetch, scope: scope)
        stage.expect(late.failure?.code == .timeout && late.memberInfo == nil, "no answer in time is 1003")
        Account.current.isServerReachable = true
        Account.current.userId = nil
        let nobody = await services.member.getMemberInfo(strategy: .localUserIdOnly)
        stage.expect(nobody.failure == WalletFailure(.appServiceError, "nobody is signed in"), "nobody signed in is 1002")
        Account.current.userId = "user-1"
    }
}
