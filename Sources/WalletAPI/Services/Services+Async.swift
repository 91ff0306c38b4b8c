// Every callback method's twin. A service that lets its callback go without an answer is answered 1002 on its behalf, and one that
// answers twice is heard once. A service that keeps its callback for ever is waited for: `AuthorizationWorkflow` sets limits.

extension IAPWalletOAuthServiceSignature {
    /// As the method with a callback.
    public func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletOAuthResult {
        await answer { IAPWalletOAuthResult().failing(.appServiceError, unanswered("getAuthCode")) } _: { callback in
            getAuthCode(clientId: clientId, scopes: scopes, type: type, extendedInfo: extendedInfo, in: context, callback: callback)
        }
    }

    /// As the method with a callback.
    public func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletAuthPageConfirmResult {
        await answer { IAPWalletAuthPageConfirmResult().failing(.appServiceError, unanswered("showAuthPage")) } _: { callback in
            showAuthPage(
                clientId: clientId, name: name, logo: logo, scopes: scopes, extendedInfo: extendedInfo, in: context, callback: callback)
        }
    }

    /// As the method with a callback.
    public func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:]
    ) async -> IAPWalletOAuthScopeQueryResult {
        await answer { IAPWalletOAuthScopeQueryResult().failing(.appServiceError, unanswered("getAuthorizedScopes")) } _: { callback in
            getAuthorizedScopes(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
        }
    }

    /// As the method with a callback.
    public func getAuthorisedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:]
    ) async -> IAPWalletOAuthScopeQueryResult {
        await answer { IAPWalletOAuthScopeQueryResult().failing(.appServiceError, unanswered("getAuthorisedScopes")) } _: { callback in
            getAuthorisedScopes(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
        }
    }

    /// As the method with a callback.
    public func revokeAuthorization(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:]
    ) async -> IAPWalletBaseServiceResult {
        await answer { IAPWalletBaseServiceResult().failing(.appServiceError, unanswered("revokeAuthorization")) } _: { callback in
            revokeAuthorization(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
        }
    }
}

extension IAPWalletPaymentServiceSignature {
    /// As the method with a callback. A payment that nobody answers has an unknown end, not a failed one.
    public func pay(with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil) async -> IAPWalletPaymentResult {
        await answer { IAPWalletPaymentResult().failing(.unknownError, unanswered("pay")) } _: { callback in
            pay(with: request, in: context, callback: callback)
        }
    }
}

extension IAPWalletCodeServiceSignature {
    /// As the method with a callback.
    public func scan(with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil) async -> IAPWalletScannerResult {
        await answer { IAPWalletScannerResult().failing(.appServiceError, unanswered("scan")) } _: { callback in
            scan(with: option, in: context, callback: callback)
        }
    }
}

extension IAPWalletDeeplinkServiceSignature {
    /// As the method with a callback. A scene that nobody answers is answered, with an error that names it.
    public func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletBaseServiceResult {
        await answer {
            IAPWalletBaseServiceResult().failing(
                .appServiceError, "scene \(WalletScene.shown(bizSceneCode)): \(unanswered("open(bizSceneCode:)"))")
        } _: { callback in
            open(bizSceneCode: bizSceneCode, with: param, in: context, callback: callback)
        }
    }
}

extension IAPWalletMemberServiceSignature {
    /// As the method with a callback.
    public func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope? = nil, in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletMemberInfoFetchResult {
        await answer { IAPWalletMemberInfoFetchResult().failing(.appServiceError, unanswered("getMemberInfo")) } _: { callback in
            getMemberInfo(strategy: strategy, scope: scope, in: context, callback: callback)
        }
    }
}

/// The reason of an answer that never came.
private func unanswered(_ method: String) -> String { "the service let go of \(method) without an answer" }
