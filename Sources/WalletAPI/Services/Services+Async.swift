// Every callback method's twin, by which the container calls the services. A service that lets its callback go without an answer is
// answered 1002 on its behalf, and one that answers twice is heard once. A service that keeps its callback for ever is waited for:
// `AuthorizationWorkflow` sets limits.

extension IAPWalletOAuthServiceSignature {
    /// As the method with a callback.
    public func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletOAuthResult {
        await answer(lost: IAPWalletOAuthResult().failing(.appServiceError, unanswered("getAuthCode"))) { callback in
            getAuthCode(clientId: clientId, scopes: scopes, type: type, extendedInfo: extendedInfo, in: context, callback: callback)
        }
    }

    /// As the method with a callback.
    public func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletAuthPageConfirmResult {
        await answer(lost: IAPWalletAuthPageConfirmResult().failing(.appServiceError, unanswered("showAuthPage"))) { callback in
            showAuthPage(
                clientId: clientId, name: name, logo: logo, scopes: scopes, extendedInfo: extendedInfo, in: context, callback: callback)
        }
    }

    /// As the method with a callback.
    public func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:]
    ) async -> IAPWalletOAuthScopeQueryResult {
        await answer(lost: IAPWalletOAuthScopeQueryResult().failing(.appServiceError, unanswered("getAuthorizedScopes"))) { callback in
            getAuthorizedScopes(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
        }
    }

    /// As the method with a callback.
    public func getAuthorisedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:]
    ) async -> IAPWalletOAuthScopeQueryResult {
        await answer(lost: IAPWalletOAuthScopeQueryResult().failing(.appServiceError, unanswered("getAuthorisedScopes"))) { callback in
            getAuthorisedScopes(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
        }
    }

    /// As the method with a callback.
    public func revokeAuthorization(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:]
    ) async -> IAPWalletBaseServiceResult {
        await answer(lost: IAPWalletBaseServiceResult().failing(.appServiceError, unanswered("revokeAuthorization"))) { callback in
            revokeAuthorization(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
        }
    }
}

extension IAPWalletPaymentServiceSignature {
    /// As the method with a callback. A payment that nobody answers has an unknown end, not a failed one.
    public func pay(with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil) async -> IAPWalletPaymentResult {
        await answer(lost: IAPWalletPaymentResult().failing(.unknownError, unanswered("pay"))) { callback in
            pay(with: request, in: context, callback: callback)
        }
    }
}

extension IAPWalletCodeServiceSignature {
    /// As the method with a callback.
    public func scan(with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil) async -> IAPWalletScannerResult {
        await answer(lost: IAPWalletScannerResult().failing(.appServiceError, unanswered("scan"))) { callback in
            scan(with: option, in: context, callback: callback)
        }
    }
}

extension IAPWalletDeeplinkServiceSignature {
    /// As the method with a callback. A scene that nobody answers is answered, with an error that names it.
    public func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletBaseServiceResult {
        await answer(
            lost: IAPWalletBaseServiceResult().failing(
                .appServiceError, "scene \(WalletScene.shown(bizSceneCode)): \(unanswered("open(bizSceneCode:)"))")
        ) { callback in
            open(bizSceneCode: bizSceneCode, with: param, in: context, callback: callback)
        }
    }
}

extension IAPWalletMemberServiceSignature {
    /// As the method with a callback.
    public func getMemberInfo(
        strategy: IAPWalletMemberInfoFetchStrategy, scope: IAPWalletMemberInfoScope? = nil, in context: IAPWalletAPIContext? = nil
    ) async -> IAPWalletMemberInfoFetchResult {
        await answer(lost: IAPWalletMemberInfoFetchResult().failing(.appServiceError, unanswered("getMemberInfo"))) { callback in
            getMemberInfo(strategy: strategy, scope: scope, in: context, callback: callback)
        }
    }
}

/// The reason of an answer that never came.
private func unanswered(_ method: String) -> String { "the service let go of \(method) without an answer" }
