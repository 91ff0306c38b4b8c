public import Foundation

/// Decides, asks, and issues codes: the service behind `my.getAuthCode` (mini-programs.md#oauthservice). A super app subclasses it.
///
/// The methods belong to the main actor, where the published samples show something at once; a service may answer from any thread [I].
/// Code in the Swift 5 mode may call them from anywhere. A service answers each call once; a callback that is let go without an answer is
/// answered by the caller with an error that says so. A method that is not overridden answers 1002 and names itself.
/// The class's own name is inferred from its siblings' [I].
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked because it can be subclassed: it holds nothing, and a subclass that restates it promises the same of what it holds.
open class IAPWalletOAuthServiceSignature: NSObject, IAPWalletErrorConstants, IAPWalletScopeConstants, @unchecked Sendable {
    /// Makes a service. A subclass with members of its own calls it after it has set them.
    public override init() { super.init() }

    /// Asks for a code. Mandatory.
    ///
    /// Where the person must agree first and has not, the answer is ``IAPWalletErrorCode/authPendingAgreement``; the container then shows
    /// the page and asks a second time, and the scopes must have been remembered by then.
    /// The client is the super app's id of the merchant (`authClientId` of the metadata), and not the mini program's id. Scopes are never
    /// empty.
    @MainActor
    @preconcurrency
    open func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) {
        callback(IAPWalletOAuthResult().failing(.appServiceError, unimplemented("getAuthCode")))
    }

    /// Asks the person. Mandatory. Agreed scopes are remembered before the answer is given (mini-programs.md#steps, step 13).
    ///
    /// Name and logo, an address, are the mini program's, to be shown.
    @MainActor
    @preconcurrency
    open func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletAuthPageConfirmResult) -> Void
    ) {
        callback(IAPWalletAuthPageConfirmResult().failing(.appServiceError, unimplemented("showAuthPage")))
    }

    /// Says what the user has agreed to for a mini program. Mandatory.
    @MainActor
    @preconcurrency
    open func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        callback(IAPWalletOAuthScopeQueryResult().failing(.appServiceError, unimplemented("getAuthorizedScopes")))
    }

    /// As `getAuthorizedScopes`: the documents spell it both ways. Override either.
    @MainActor
    @preconcurrency
    open func getAuthorisedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        getAuthorizedScopes(userId: userId, clientId: clientId, appId: appId, extendedInfo: extendedInfo, callback: callback)
    }

    /// Takes back what the user agreed to. Optional; by default nothing is remembered, so there is nothing to forget.
    ///
    /// The document says that there are optional methods and names none publicly [D]; this name is ours [I].
    @MainActor
    @preconcurrency
    open func revokeAuthorization(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        callback(IAPWalletBaseServiceResult())
    }
}
