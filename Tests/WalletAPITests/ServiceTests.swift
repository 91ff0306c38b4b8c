import BillfoldDiagnosis
import Foundation
import Testing
import WalletAPI

/// Whoever is asked answers.
@Suite struct ServiceTests {
    private let none = WalletServices()

    @Test func unregisteredServicesNameThemselves() async {
        let oauth = await none.oauth.getAuthCode(clientId: "c", scopes: ["auth_base"])
        #expect(oauth.failure == WalletFailure(.appServiceError, "OAuthService is not registered") && oauth.error.code == "1002")
        let page = await none.oauth.showAuthPage(clientId: "c", name: "n", logo: "l", scopes: [])
        #expect(page.failure?.reason == "OAuthService is not registered" && page.error?.code == 1002)
        #expect(
            await none.oauth.getAuthorisedScopes(userId: "u", clientId: "c", appId: "a").failure?.reason == "OAuthService is not registered"
        )
        #expect(await none.oauth.revokeAuthorization(userId: "u", clientId: "c", appId: "a").failure?.code == .appServiceError)
        let paid = await none.payment.pay(with: IAPWalletPaymentRequest(tradeNO: "1"))
        #expect(paid.failure?.reason == "PaymentService is not registered" && paid.ending == .failed)
        #expect(await none.code.scan(with: IAPWalletScannerOption()).failure?.reason == "CodeService is not registered")
        #expect(await none.deepLink.open(bizSceneCode: "QR_PAY").failure?.reason == "scene \"QR_PAY\": DeepLinkService is not registered")
        #expect(await none.member.getMemberInfo(strategy: .localUserIdOnly).failure?.reason == "MemberService is not registered")
        #expect(await none.deepLink.open(scheme: URL(fileURLWithPath: "/")) == false)
    }

    @Test func missingServicesAreFindings() {
        #expect(none.findings.map(\.subject) == ["OAuthService", "PaymentService", "CodeService", "DeepLinkService", "MemberService"])
        none.register(SampleCodeService())
        #expect(!none.findings.map(\.subject).contains("CodeService") && none.isRegistered(.code))
    }

    @Test func unwrittenMethodsNameThemselves() async {
        let bare = IAPWalletOAuthServiceSignature()
        let reason = await bare.getAuthCode(clientId: "c", scopes: []).failure?.reason
        #expect(reason == "IAPWalletOAuthServiceSignature does not implement getAuthCode")
        #expect(await IAPWalletCodeServiceSignature().scan(with: IAPWalletScannerOption()).failure?.code == .appServiceError)
        #expect(await bare.revokeAuthorization(userId: "u", clientId: "c", appId: "a").failure == nil)
    }

    private final class Silent: IAPWalletPaymentServiceSignature, @unchecked Sendable {  // Holds nothing.
        override func pay(
            with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
            callback: @escaping (IAPWalletPaymentResult) -> Void
        ) {}
    }

    private final class Twice: IAPWalletPaymentServiceSignature, @unchecked Sendable {  // Holds nothing.
        override func pay(
            with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
            callback: @escaping (IAPWalletPaymentResult) -> Void
        ) {
            callback(IAPWalletPaymentResult(resultCode: "9000"))
            callback(IAPWalletPaymentResult(resultCode: "4000"))
        }
    }

    @Test func callbackThatIsLetGoIsAnUnknownPayment() async {
        let result = await Silent().pay(with: IAPWalletPaymentRequest(tradeNO: "1"))
        #expect(result.failure?.code == .unknownError && result.ending == .unknown && !result.ending.isSettled)
    }

    @Test func secondAnswerIsNotHeard() async {
        #expect(await Twice().pay(with: IAPWalletPaymentRequest(tradeNO: "1")).ending == .paid)
    }

    @Test(arguments: [
        (IAPWalletErrorCode.userCancel, PaymentEnding.cancelled), (.timeout, .unknown), (.unknownError, .unknown),
        (.appServiceError, .failed),
        (.systemError, .failed),
    ])
    func errorsOfAPaymentNeverInventAFailure(code: IAPWalletErrorCode, ending: PaymentEnding) {
        #expect(IAPWalletPaymentResult().failing(code, "why").ending == ending)
    }

    @Test func undocumentedResultCodeIsUnknown() {
        #expect(IAPWalletPaymentResult(resultCode: "7777").ending == .unknown && IAPWalletPaymentResult().ending == .unknown)
        #expect(IAPWalletPaymentResult(resultCode: "8000").ending == .processing && !PaymentEnding.processing.isSettled)
        // Without a network nobody knows at which moment it was lost.
        #expect(IAPWalletPaymentResult(resultCode: "6002").ending == .networkError && !PaymentEnding.networkError.isSettled)
    }

    @Test func codesAndNamesAreTheDocumentedOnes() {
        #expect(IAPWalletErrorCode.allCases.map(\.rawValue) == [1000, 1001, 1002, 1003, 1005, 2001])
        #expect(IAPWalletErrorCode(text: "TIMEOUT") == .timeout && IAPWalletErrorCode(text: "ERROR_CODE_TIMEOUT") == .timeout)
        #expect(IAPWalletErrorCode(text: "1004") == nil)
        #expect([SCENE_WEB_PAGE, SCENE_SCAN, SCENE_QR_PAY] == ["WEB_PAGE", "SCAN", "QR_PAY"])
        #expect([SCENE_BIND_CARD, SCENE_TOP_UP, SCENE_DEEPLINK_SCHEME] == ["BIND_CARD", "TOP_UP", "SCHEME"])
        #expect(WalletScope.allCases.count == 18)
        #expect(IAPWalletOAuthCodeFlowType.localMiniProgram.name == "LOCAL_MINI_PROGRAM")
    }

    @Test func descriptionsShowNoSecret() {
        #expect(!"\(IAPWalletOAuthResult(authCode: "s3cret", authSuccessScopes: ["a"]))".contains("s3cret"))
        #expect(!"\(IAPWalletPaymentRequest(orderStr: "s3cret"))".contains("s3cret"))
        #expect(!"\(AuthorizationGrant(authCode: "s3cret", successScopes: []))".contains("s3cret"))
    }
}
