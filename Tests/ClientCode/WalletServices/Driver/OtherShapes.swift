import Foundation
import UIKitSimulator
import WalletAPI

/// Shapes of public apps: an old one that hangs on its delegate, a new one with tasks and an actor, and one that only reads constants.
@MainActor
struct OtherShapes {
    private let stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    func run() async {
        tables()
        await oldApp()
        await newApp()
        await newAppsLinks()
        await otherSpellings()
    }

    private func tables() {
        let named = Set(ConsentScopeTexts.lines.keys)
        stage.expect(named.isSubset(of: Set(WalletScope.allCases.map(\.rawValue))) && named.count == 15, "every scope has its line")
        stage.expect(Set(WalletErrorTable.reasons.keys) == Set(IAPWalletErrorCode.allCases.map(\.rawValue)), "every code has its reason")
        let result = IAPWalletPaymentResult()
        stage.expect(WalletErrorTable.reason(of: result) == nil, "a result without an error has no reason")
        stage.expect(WalletErrorTable.reason(of: result.failing(.timeout, "late")) == "too late", "an error is read by its number")
        stage.expect(result.error.map(WalletErrorTable.isFinal) == false, "a time-out is not final")
    }

    private func oldApp() async {
        let screen = SimulatedScreen()
        await SimulatedScreen.$bound.withValue(screen) {
            let delegate = WalletAppDelegate()
            screen.launch(delegate)
            let services = WalletServices(oauth: delegate.oauth, payment: delegate.payment)
            let asking = Task { await services.authorise(["USER_NAME"]) }
            let page = await stage.shown(UIAlertController.self, over: delegate.window?.rootViewController)
            stage.expect(page?.title == "Tea" && page?.message == "Your name", "the page names program and scope")
            page?.sendTap(on: "OK")
            stage.expect(await asking.value == .granted(.init(authCode: "old-1", successScopes: ["USER_NAME"])), "the old app grants")
            let refusing = Task { await services.authorise(["USER_GENDER"]) }
            await stage.shown(UIAlertController.self, over: delegate.window?.rootViewController)?.sendTap(on: "Not now")
            let refusal = await refusing.value.refusal
            stage.expect(refusal?.cause == .userCancelled && refusal?.reason == "not now", "the old app's refusal has its words")
            let connect = await services.oauth.getAuthCode(clientId: "client-1", scopes: ["USER_NAME", "CARD_LIST"], type: .alipayConnect)
            stage.expect(
                connect.authSuccessScopes == ["USER_NAME"] && connect.authErrorScopes == ["CARD_LIST": "only for local programs"]
                    && connect.failure == nil, "a part of the scopes is a success")
            await oldPayment(delegate, services: services, screen: screen)
        }
    }

    private func oldPayment(_ delegate: WalletAppDelegate, services: WalletServices, screen: SimulatedScreen) async {
        let order = IAPWalletPaymentRequest(paymentUrl: "https://cashier.wallet.example/1")
        for (state, ending) in [("paid", PaymentEnding.paid), ("open", .processing), ("left", .cancelled), ("moon", .unknown)] {
            let before = screen.openedLinks.count
            let paying = Task { await services.payment.pay(with: order) }
            for _ in 0..<1_000 where screen.openedLinks.count == before { try? await Task.sleep(for: .milliseconds(2)) }
            guard let back = URL(string: "oldwallet://paid?state=\(state)") else { continue }
            stage.expect(screen.openInApp(back) && delegate.opened.last == back, "the cashier's page leads back to the app")
            delegate.payment.finish(with: back)
            stage.expect(await paying.value.ending == ending, "\(state) ends \(ending)")
        }
        let none = await services.payment.pay(with: IAPWalletPaymentRequest(paymentUrl: "nobody://x"))
        stage.expect(none.failure?.code == .appServiceError && none.ending == .failed, "an address that nothing takes is 1002")
    }

    private func newApp() async {
        let backend = WalletBackend()
        let answers = Answers()
        let oauth = ModernOAuthService(backend: backend) { name, scopes in answers.next(name, scopes) }
        let camera = AsyncStream.makeStream(of: String.self)
        let services = WalletServices(
            oauth: oauth, code: ModernCodeService(camera: camera.stream), member: ModernMemberService(backend: backend))
        answers.agrees = false
        let refusal = await services.authorise(["USER_NAME"]).refusal
        stage.expect(refusal?.cause == .userCancelled && answers.asked == ["Tea: USER_NAME"], "the new app asks once and is refused")
        answers.agrees = true
        let granted = await services.authorise(["USER_NAME"])
        stage.expect(granted == .granted(.init(authCode: "modern-1", successScopes: ["USER_NAME"])), "the new app grants")
        let known = await services.oauth.getAuthorisedScopes(userId: "u", clientId: "c", appId: "a")
        stage.expect(known.authorisedScopes == ["USER_NAME"], "in either spelling it is known")
        await backend.fail("authCode", with: 1003)
        stage.expect(await services.authorise(["USER_NAME"]).refusal?.cause == .timedOut, "an error that was thrown keeps its code")
        let profile = await services.member.getMemberInfo(strategy: .remoteFetch).memberInfo
        stage.expect(profile?.nickName == "Grace", "the new app's profile")
        await backend.fail("profile", with: 77)
        let unknown = await services.member.getMemberInfo(strategy: .remoteFetch)
        stage.expect(unknown.failure?.code == .unknownError && unknown.error?.code == 77, "a code of the app's own is read as 1000")
        camera.continuation.yield("https://qr.alipayplus.com/1")
        stage.expect(await services.code.scan(with: IAPWalletScannerOption()).code == "https://qr.alipayplus.com/1", "a frame has a code")
        camera.continuation.finish()
        stage.expect(await services.code.scan(with: IAPWalletScannerOption()).failure?.code == .userCancel, "the camera is closed: 1001")
    }

    private func newAppsLinks() async {
        let screen = SimulatedScreen.current
        screen.install(schemes: ["shop"], hosts: ["pay.wallet.example"])
        let seen = Answers()
        let services = WalletServices(deepLink: ModernDeeplinkService { page in seen.shows(page.rawValue) })
        stage.expect(await services.jump("wallet://x") == .notOpened, "the new app opens its own scheme alone")
        stage.expect(await services.scene("TOP_UP") == .success([:]) && seen.asked == ["TOP_UP"], "its page is shown")
        let web = await services.scene("WEB_PAGE", ["url": "https://pay.wallet.example/2"])
        stage.expect(web == .success(["opened": "true"]), "an app that claims the host takes a universal link")
        let browser = await services.scene("WEB_PAGE", ["url": "https://help.wallet.example/"])
        stage.expect(browser == .success(["opened": "false"]), "a host that no app claims is not opened as one")
        guard case .failure(let refusal) = await services.scene("MOON") else { return stage.expect(false, "an unknown scene is an error") }
        stage.expect(refusal.code == .notOpened && refusal.reason == "no page for MOON", "an unknown scene is an error with its name")
        screen.comeToFront()
    }
}

extension OtherShapes {
    private func otherSpellings() async {
        let services = WalletServices(oauth: BritishOAuthService(agreed: ["user-1": ["USER_NAME"]]), code: SquareCodeService())
        let british = await services.oauth.getAuthorisedScopes(userId: "user-1", clientId: "c", appId: "a")
        stage.expect(british.authorisedScopes == ["USER_NAME"], "the other spelling is asked")
        let kinds = [IAPWalletOAuthCodeFlowType.localMiniProgram, .alipayConnect, .standard]
        var codes: [String?] = []
        for kind in kinds { codes.append(await services.oauth.getAuthCode(clientId: "c", scopes: ["USER_ID"], type: kind).authCode) }
        stage.expect(codes == ["of this workspace", "of another workspace", nil], "the kind of a program is told apart")
        let square = await services.code.scan(with: IAPWalletScannerOption())
        let bar = await services.code.scan(with: IAPWalletScannerOption(type: .barCode))
        stage.expect(square.code == "square" && bar.failure?.code == .appServiceError, "the kind of a code is told apart")
    }
}

/// What a person answers, and what was asked or shown.
@MainActor
final class Answers {
    var agrees = true
    var asked: [String] = []

    func next(_ name: String, _ scopes: [String]) -> Bool {
        asked.append("\(name): \(scopes.joined(separator: " "))")
        return agrees
    }

    func shows(_ page: String) -> Bool {
        asked.append(page)
        return true
    }
}
