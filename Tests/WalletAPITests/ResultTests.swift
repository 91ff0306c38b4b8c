import Foundation
import IAPWalletContext
import Testing

/// Each result takes the kind of error that its published sample sets.
@Suite struct ResultTests {
    @Test func oauthResultTakesATextCode() {
        let result = IAPWalletOAuthResult()
        #expect(result.failure == nil)
        result.error.code = "2001"
        result.error.message = "agree first"
        #expect(result.failure == WalletFailure(.authPendingAgreement, "agree first"))
        result.error.code = "ERROR_CODE_USER_CANCEL"
        #expect(result.failure?.code == .userCancel)
        result.error = IAPWalletResultError(code: "nonsense")
        #expect(result.failure == WalletFailure(.unknownError, "error nonsense"))
    }

    @Test func consentResultTakesAnNSError() {
        let result = IAPWalletAuthPageConfirmResult()
        #expect(result.failure == nil && result.referenceAgreementId == nil)
        result.error = NSError(domain: "app", code: 1001)
        #expect(result.failure == WalletFailure(.userCancel, "ERROR_CODE_USER_CANCEL"))
        result.error = NSError(domain: "app", code: 7, userInfo: [NSLocalizedDescriptionKey: "broken"])
        #expect(result.failure == WalletFailure(.unknownError, "error 7 of app: broken"))
    }

    @Test func everyResultReadsTheErrorThatWasSetForIt() {
        let results: [IAPWalletBaseServiceResult] = [
            IAPWalletOAuthResult(), IAPWalletAuthPageConfirmResult(), IAPWalletOAuthScopeQueryResult(), IAPWalletPaymentResult(),
            IAPWalletScannerResult(), IAPWalletMemberInfoFetchResult(), IAPWalletBaseServiceResult(),
        ]
        for result in results {
            #expect(result.failure == nil)
            #expect(result.failing(.timeout, "late").failure == WalletFailure(.timeout, "late"))
        }
        #expect((results[1] as? IAPWalletAuthPageConfirmResult)?.error?.domain == IAPWalletErrorDomain)
        #expect((results[0] as? IAPWalletOAuthResult)?.error.code == "1003")
        #expect("\(WalletFailure(.timeout, "late"))" == "1003 ERROR_CODE_TIMEOUT: late")
    }

    @Test func membersAreKept() {
        let oauth = IAPWalletOAuthResult(
            authCode: "c", authState: "s", authErrorScopes: ["A": "no"], authSuccessScopes: ["B"], authRedirectUrl: "r")
        #expect(oauth.authState == "s" && oauth.authRedirectUrl == "r" && oauth.authErrorScopes == ["A": "no"])
        (oauth.authState, oauth.authRedirectUrl, oauth.extendedInfo) = (nil, nil, ["k": "v"])
        #expect(oauth.authState == nil && oauth.authRedirectUrl == nil && oauth.extendedInfo == ["k": "v"])
        #expect(
            "\(oauth)" == #"granted ["B"], refused ["A"]"# && "\(oauth.failing(.userCancel, "left"))" == "1001 ERROR_CODE_USER_CANCEL: left"
        )
        #expect("\(oauth.error)" == "1001 left")
        let page = IAPWalletOAuthPageConfirmResult(referenceAgreementId: "a")
        #expect(page.referenceAgreementId == "a")
        let payment = IAPWalletPaymentResult()
        (payment.resultCode, payment.resultMessage) = ("6002", "offline")
        #expect(payment.ending == .networkError && payment.resultMessage == "offline")
        let query = IAPWalletOAuthScopeQueryResult()
        query.authorisedScopes = ["A"]
        #expect(query.authorizedScopes == ["A"])
    }
}

/// The member service's published sample, by strategy (mini-programs.md#memberservice).
private final class SampleMemberService: IAPWalletMemberServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope? = nil, in context: IAPWalletAPIContext? = nil,
        callback: @escaping (IAPWalletMemberInfoFetchResult) -> Void
    ) {
        let member = IAPWalletMemberInfo(userId: "u1")
        let result = IAPWalletMemberInfoFetchResult(memberInfo: member)
        switch strategy {
        case .localUserIdOnly: break
        case .localCached: member.nickName = "Ada"
        case .remoteFetch:
            guard scope?.scopes.isEmpty == false else { return callback(result.failing(.appServiceError, "no scope")) }
            (member.nickName, member.avatar, member.gender) = ("Ada", "https://a.test/1.png", "f")
            (member.countryCode, member.province, member.city, member.extendedInfo) = ("GB", "", "London", ["level": "2"])
        }
        callback(result)
    }
}

@Suite struct MemberServiceTests {
    private let service: IAPWalletMemberServiceSignature = SampleMemberService()

    @Test func strategySaysHowMuchIsTold() async {
        let local = await service.getMemberInfo(strategy: .localUserIdOnly).memberInfo
        #expect(local?.userId == "u1" && local?.nickName == nil && local?.avatar == nil && local?.gender == nil && local?.city == nil)
        #expect(await service.getMemberInfo(strategy: .localCached).memberInfo?.nickName == "Ada")
        let context = IAPWalletAPIContext(appId: "a", page: "pages/x")
        let remote = await service.getMemberInfo(strategy: .remoteFetch, scope: .init(scopes: ["auth_user"]), in: context).memberInfo
        #expect(remote?.avatar == "https://a.test/1.png" && remote?.gender == "f" && remote?.extendedInfo == ["level": "2"])
        #expect(remote?.countryCode == "GB" && remote?.province == "" && remote?.city == "London")
        #expect(remote.map { "\($0)" } == "member data" && "\(context)" == "a pages/x")
    }

    @Test func fetchingWithoutScopeFails() async {
        #expect(await service.getMemberInfo(strategy: .remoteFetch).failure?.code == .appServiceError)
    }
}
