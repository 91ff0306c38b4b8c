import IAPWalletContext

// A wallet that was written from the document's other spellings, and one that tells kinds of programs and codes apart.

final class BritishOAuthService: IAPWalletOAuthServiceSignature, @unchecked Sendable {  // Holds nothing that changes.
    private let agreed: [String: [String]]

    init(agreed: [String: [String]]) {
        self.agreed = agreed
        super.init()
    }

    override func getAuthorisedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        callback(IAPWalletOAuthScopeQueryResult(authorizedScopes: agreed[userId] ?? []))
    }

    override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType, extendedInfo: [String: String],
        in context: IAPWalletAPIContext?, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) {
        let result = IAPWalletOAuthResult()
        switch type {
        case .localMiniProgram: result.authCode = "of this workspace"
        case .alipayConnect: result.authCode = "of another workspace"
        default: result.error = NSError(domain: "BritishOAuthService", code: Self.ERROR_CODE_UNKNOWN_ERROR)
        }
        callback(result)
    }
}

final class SquareCodeService: IAPWalletCodeServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func scan(
        with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
    ) {
        let result = IAPWalletScannerResult()
        if option.type == .qrCode {
            result.code = "square"
        } else {
            result.error.code = "1002"
        }
        callback(result)
    }
}
