import Foundation
import IAPWalletContext
import Synchronization
import Testing

// The call forms of the published samples, of which each was an error once: constants that base and subclass both have, an error that is
// set in two ways, and results made with and without labels.

/// Declares again what the base class offers, as the deep-link sample does.
private final class Declaring: IAPWalletDeeplinkServiceSignature, @unchecked Sendable {  // Holds nothing.
    public static let SCENE_WEB_PAGE = "WEB_PAGE"
    public static let ERROR_CODE_USER_CANCEL = 1001

    override func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletBaseServiceResult) -> Void
    ) {
        let result = IAPWalletBaseServiceResult()
        switch bizSceneCode {
        case IAPWalletDeeplinkServiceSignature.SCENE_WEB_PAGE: result.extendedInfo = ["by": "base"]
        case Declaring.SCENE_SCAN: result.extendedInfo = ["by": "subclass"]
        case SCENE_QR_CODE: result.extendedInfo = ["by": "bare name"]
        default:
            result.error = NSError(domain: "app", code: Declaring.ERROR_CODE_USER_CANCEL, userInfo: nil)
        }
        callback(result)
    }
}

@Suite struct PublishedNameTests {
    @Test(arguments: [("WEB_PAGE", "base"), ("SCAN", "subclass"), ("QR_CODE", "bare name")])
    func sceneIsReadFromBaseSubclassAndBareName(scene: String, by: String) async {
        #expect(await Declaring().open(bizSceneCode: scene).extendedInfo == ["by": by])
        #expect(await Declaring().open(bizSceneCode: "OTHER").failure?.code == .userCancel)
    }

    @Test func constantsOfTheBaseAreTheDocumentedCodes() {
        typealias Links = IAPWalletDeeplinkServiceSignature
        let scenes = [Links.SCENE_WEB_PAGE, Links.SCENE_SCAN, Links.SCENE_QR_PAY, Links.SCENE_BIND_CARD]
        #expect(scenes + [Links.SCENE_TOP_UP, Links.SCENE_DEEPLINK_SCHEME, Links.SCENE_QR_CODE] == WalletScene.allCases.map(\.rawValue))
        let links = Links()
        #expect([links.SCENE_WEB_PAGE, links.SCENE_SCAN, links.SCENE_QR_PAY, links.SCENE_BIND_CARD] == scenes)
        #expect([links.SCENE_TOP_UP, links.SCENE_DEEPLINK_SCHEME, links.SCENE_QR_CODE] == ["TOP_UP", "SCHEME", "QR_CODE"])
        typealias Errors = IAPWalletOAuthServiceSignature
        let numbers: [Int] = [
            Errors.ERROR_CODE_UNKNOWN_ERROR, Errors.ERROR_CODE_USER_CANCEL, Errors.ERROR_CODE_APP_SERVICE_ERROR, Errors.ERROR_CODE_TIMEOUT,
            Errors.ERROR_CODE_SYSTEM_ERROR, Errors.ERROR_CODE_AUTH_PENDING_AGREEMENT,
        ]
        let texts: [String] = [
            Errors.ERROR_CODE_UNKNOWN_ERROR, Errors.ERROR_CODE_USER_CANCEL, Errors.ERROR_CODE_APP_SERVICE_ERROR, Errors.ERROR_CODE_TIMEOUT,
            Errors.ERROR_CODE_SYSTEM_ERROR, Errors.ERROR_CODE_AUTH_PENDING_AGREEMENT,
        ]
        #expect(numbers == [1000, 1001, 1002, 1003, 1005, 2001] && texts == numbers.map(String.init))
        let unasked = IAPWalletResultError.ERROR_CODE_TIMEOUT
        #expect(type(of: unasked) == Int.self)
    }

    @Test func scopesOfTheBaseAreTheDocumentedOnes() {
        typealias OAuth = IAPWalletOAuthServiceSignature
        let scopes: Set<String> = [
            OAuth.SCOPE_AUTH_BASE, OAuth.SCOPE_AUTH_USER, OAuth.SCOPE_USER_ID, OAuth.SCOPE_USER_LOGIN_ID, OAuth.SCOPE_HASH_LOGIN_ID,
            OAuth.SCOPE_USER_NICKNAME, OAuth.SCOPE_USER_NAME, OAuth.SCOPE_USER_AVATAR, OAuth.SCOPE_USER_GENDER, OAuth.SCOPE_USER_BIRTHDAY,
            OAuth.SCOPE_USER_NATIONALITY, OAuth.SCOPE_USER_CONTACTINFO, OAuth.SCOPE_AGREEMENT_PAY, OAuth.SCOPE_BASE_USER_INFO,
            OAuth.SCOPE_USER_INFO, OAuth.SCOPE_SEND_MESSAGE, OAuth.SCOPE_NOTIFICATION_INBOX, OAuth.SCOPE_CARD_LIST,
        ]
        #expect(scopes == Set(WalletScope.allCases.map(\.rawValue)))
    }

    @Test func everyResultTakesACodeAndADescription() {
        let results: [IAPWalletBaseServiceResult] = [
            IAPWalletOAuthResult(), IAPWalletAuthPageConfirmResult(), IAPWalletOAuthScopeQueryResult(), IAPWalletPaymentResult(),
            IAPWalletScannerResult(), IAPWalletMemberInfoFetchResult(), IAPWalletBaseServiceResult(),
        ]
        for result in results {
            #expect(result.error == nil)
            result.error.code = "2001"
            #expect(result.failure == WalletFailure(.authPendingAgreement, "ERROR_CODE_AUTH_PENDING_AGREEMENT"))
            result.error.localizedDescription = "agree first"
            #expect(result.failure == WalletFailure(.authPendingAgreement, "agree first"))
            #expect(result.error?.code == 2001 && result.error?.localizedDescription == "agree first")
        }
    }

    @Test func everyResultTakesAnNSErrorAndGivesItBack() {
        let results: [IAPWalletBaseServiceResult] = [IAPWalletOAuthResult(), IAPWalletPaymentResult(), IAPWalletBaseServiceResult()]
        let code = IAPWalletOAuthServiceSignature.ERROR_CODE_APP_SERVICE_ERROR
        for result in results {
            result.error = NSError(domain: "app", code: code, userInfo: [NSLocalizedDescriptionKey: "closed", "trace": "t1"])
            #expect(result.failure == WalletFailure(.appServiceError, "closed"))
            #expect(result.error?.domain == "app" && result.error?.userInfo["trace"] as? String == "t1")
            #expect(result.error.code == "1002" && result.error.message == "closed")
            // What is set afterwards counts, and the app's own error is gone.
            result.error.code = IAPWalletOAuthServiceSignature.ERROR_CODE_TIMEOUT
            #expect(result.failure == WalletFailure(.timeout, "closed") && result.error?.domain == IAPWalletErrorDomain)
            result.error = nil
            #expect(result.failure == nil && result.error == nil && result.error.code.isEmpty)
        }
    }

    /// A consent page's answer with any error is no consent: one that forgot the code must not count as agreed.
    @Test func descriptionWithoutACodeIsAnError() {
        let result = IAPWalletAuthPageConfirmResult()
        result.error.localizedDescription = "no"
        #expect(result.failure == WalletFailure(.unknownError, "error without a code: no") && result.error?.code == 1000)
        result.error = IAPWalletResultError(code: "USER_CANCEL")
        #expect(result.failure?.code == .userCancel && result.error?.code == 1001)
        result.error = IAPWalletResultError(code: "moon")
        #expect(result.failure == WalletFailure(.unknownError, "error moon") && result.error?.code == 1000)
    }

    @Test func resultsAreMadeWithAndWithoutLabels() {
        #expect(IAPWalletAuthPageConfirmResult("a-1").referenceAgreementId == "a-1")
        #expect(IAPWalletAuthPageConfirmResult(referenceAgreementId: nil).referenceAgreementId == nil)
        let oauth = IAPWalletOAuthResult(
            authCode: "c", authState: nil, authErrorScopes: nil, authSuccessScopes: nil, authRedirectUrl: nil)
        #expect(oauth.authErrorScopes.isEmpty && oauth.authSuccessScopes.isEmpty && oauth.authCode == "c")
        #expect(IAPWalletScannerResult("x").code == "x" && IAPWalletScannerResult(code: nil).code == nil)
        #expect(IAPWalletOAuthScopeQueryResult(["A"]).authorizedScopes == ["A"])
        #expect(IAPWalletPaymentResult("9000", "paid").resultMessage == "paid" && IAPWalletPaymentResult("9000").ending == .paid)
        #expect(IAPWalletMemberInfoFetchResult(IAPWalletMemberInfo(userId: "u")).memberInfo?.userId == "u")
        #expect(IAPWalletMemberInfoFetchResult(memberInfo: nil).memberInfo == nil)
    }

    @Test func membersThatAndroidHasAreKeptAndNeverShown() {
        let member = IAPWalletMemberInfo(userId: "u1")
        (member.sessionId, member.loginId, member.loginIdType) = ("s3cret", "ada@example.test", "EMAIL")
        (member.userName, member.birthday) = ("Ada", "1815-12-10")
        #expect([member.sessionId, member.loginId, member.loginIdType] == ["s3cret", "ada@example.test", "EMAIL"])
        #expect([member.userName, member.birthday] == ["Ada", "1815-12-10"] && "\(member)" == "member data")
        let scope = IAPWalletMemberInfoScope(appId: "a", scopes: ["auth_user"], extendedInfo: ["k": "v"])
        #expect(scope.appId == "a" && scope.scopes == ["auth_user"] && scope.extendedInfo == ["k": "v"])
        #expect(IAPWalletMemberInfoScope().appId.isEmpty)
    }
}
