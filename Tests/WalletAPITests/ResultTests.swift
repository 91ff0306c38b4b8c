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
}
