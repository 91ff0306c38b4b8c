import IAPWalletContext

// A wallet that names every scope on its consent sheet, and tells its engineers what a code means.

typealias OAuthSignature = IAPWalletOAuthServiceSignature

enum ConsentScopeTexts {
    static let lines: [String: String] = [
        OAuthSignature.SCOPE_AUTH_BASE: "Your account at this wallet",
        OAuthSignature.SCOPE_AUTH_USER: "Your basic profile",
        OAuthSignature.SCOPE_BASE_USER_INFO: "Your account at this wallet (old)",
        OAuthSignature.SCOPE_USER_INFO: "Your basic profile (old)",
        OAuthSignature.SCOPE_USER_ID: "Your user number",
        OAuthSignature.SCOPE_USER_LOGIN_ID: "What you sign in with",
        OAuthSignature.SCOPE_HASH_LOGIN_ID: "A fingerprint of what you sign in with",
        OAuthSignature.SCOPE_USER_NICKNAME: "Your nickname",
        OAuthSignature.SCOPE_USER_NAME: "Your name",
        OAuthSignature.SCOPE_USER_AVATAR: "Your picture",
        OAuthSignature.SCOPE_USER_GENDER: "Your gender",
        OAuthSignature.SCOPE_USER_BIRTHDAY: "Your date of birth",
        OAuthSignature.SCOPE_USER_NATIONALITY: "Your nationality",
        OAuthSignature.SCOPE_USER_CONTACTINFO: "How to reach you",
        OAuthSignature.SCOPE_AGREEMENT_PAY: "Payments without asking you each time",
    ]

    static func page(for scopes: Set<String>) -> [String] { scopes.sorted().map { lines[$0] ?? $0 } }
}

enum WalletErrorTable {
    static let reasons: [Int: String] = [
        IAPWalletMemberServiceSignature.ERROR_CODE_UNKNOWN_ERROR: "unknown",
        IAPWalletMemberServiceSignature.ERROR_CODE_USER_CANCEL: "cancelled",
        IAPWalletMemberServiceSignature.ERROR_CODE_APP_SERVICE_ERROR: "our fault",
        IAPWalletMemberServiceSignature.ERROR_CODE_TIMEOUT: "too late",
        IAPWalletMemberServiceSignature.ERROR_CODE_SYSTEM_ERROR: "the system's fault",
        IAPWalletMemberServiceSignature.ERROR_CODE_AUTH_PENDING_AGREEMENT: "not asked yet",
    ]

    static func reason(of result: IAPWalletBaseServiceResult) -> String? {
        guard let error = result.error else { return nil }
        return reasons[error.code] ?? error.localizedDescription
    }

    static func isFinal(_ error: NSError) -> Bool {
        switch error.code {
        case OAuthSignature.ERROR_CODE_UNKNOWN_ERROR, OAuthSignature.ERROR_CODE_TIMEOUT: return false
        default: return true
        }
    }
}
