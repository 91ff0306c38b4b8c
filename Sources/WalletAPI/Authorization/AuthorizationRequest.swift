/// One `my.getAuthCode`, with what the metadata and the running instance say about who asks.
public struct AuthorizationRequest: Sendable, Hashable {
    /// The user of the super app; empty where nobody is signed in.
    public var userID: String
    public var appID: String
    /// The super app's id of the merchant, from the metadata (mini-programs.md#client-id). It is unrelated to ``appID``.
    public var authClientID: String?
    public var name: String
    /// An address of the mini program's picture.
    public var logo: String
    public var workspace: IAPWalletOAuthCodeFlowType
    /// What the script asked; without any it is `auth_base` (mini-programs.md#scopes [D]).
    public var scopes: Set<String>
    /// The page that called, without its query.
    public var page: String
    /// Counts how often a person came to the page. Coming back from the consent page or from another page that a service showed does not
    /// count: a mini program that asks in `onShow` would otherwise look as if it asked once each time.
    public var showCycle: Int
    public var version: String
    public var extendedInfo: [String: String]

    public init(
        userID: String, appID: String, authClientID: String?, name: String, logo: String, scopes: Set<String>,
        workspace: IAPWalletOAuthCodeFlowType = .localMiniProgram, page: String = "", showCycle: Int = 0, version: String = "",
        extendedInfo: [String: String] = [:]
    ) {
        self.userID = userID
        self.appID = appID
        self.authClientID = authClientID
        self.name = name
        self.logo = logo
        self.scopes = scopes.isEmpty ? [WalletScope.base.rawValue] : scopes
        self.workspace = workspace
        self.page = page
        self.showCycle = showCycle
        self.version = version
        self.extendedInfo = extendedInfo
    }

    var context: IAPWalletAPIContext {
        IAPWalletAPIContext(appId: appID, appName: name, page: page, version: version, workspace: workspace, extendedInfo: extendedInfo)
    }
}

/// How a `my.getAuthCode` ended.
public enum AuthorizationOutcome: Sendable, Hashable {
    /// A code, and what became of each scope. Scopes may have been refused beside it.
    case granted(AuthorizationGrant)
    /// No code. A mini program may try again only where the person wants to.
    case refused(AuthorizationRefusal)
}

/// What a mini program is handed: `{authCode, authSuccessScopes, authErrorScopes}` (mini-programs.md#payment-and-identity).
public struct AuthorizationGrant: Sendable, Hashable, CustomStringConvertible {
    /// Single use, for the merchant's server alone.
    public var authCode: String
    public var successScopes: [String]
    /// The refused scopes, each with its reason.
    public var errorScopes: [String: String]

    public init(authCode: String, successScopes: [String], errorScopes: [String: String] = [:]) {
        self.authCode = authCode
        self.successScopes = successScopes
        self.errorScopes = errorScopes
    }

    /// Never shows the code.
    public var description: String { "granted \(successScopes), refused \(errorScopes.keys.sorted())" }
}

/// Why there is no code. Equality looks at everything.
public struct AuthorizationRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable word for the cause; none is renamed or reused.
    public enum Cause: String, Sendable, CaseIterable {
        /// The metadata has no `authClientId`: a fault of configuration and not of OAuth (mini-programs.md#client-id).
        case clientUnset = "auth-client-unset"
        /// The super app registered no OAuthService.
        case serviceUnregistered = "service-unregistered"
        /// The person refused, or closed the consent page (mini-programs.md#steps, 20–22). Not asked again by itself.
        case userCancelled = "user-cancelled"
        /// Agreement was still pending after the person agreed: the super app did not remember the scopes in step 13
        /// (mini-programs.md#steps).
        case consentNotCached = "consent-not-cached"
        /// The super app or its server failed (mini-programs.md#steps, step 31).
        case serviceFailed = "service-failed"
        /// No answer within the limit.
        case timedOut = "timed-out"
        /// An answer with neither an error nor a code.
        case noCode = "no-code"
        /// The caller went away while waiting for its turn.
        case abandoned
    }

    public var cause: Cause
    /// What the service said, or what fits the cause. Never 2001: pending is not for mini programs (mini-programs.md#steps, step 8).
    public var code: IAPWalletErrorCode
    /// For the mini program's author.
    public var reason: String
    /// The refused scopes, where the service named any.
    public var errorScopes: [String: String]

    public init(_ cause: Cause, _ code: IAPWalletErrorCode, reason: String, errorScopes: [String: String] = [:]) {
        self.cause = cause
        self.code = code
        self.reason = reason
        self.errorScopes = errorScopes
    }

    public var description: String { "\(cause.rawValue): \(reason)" }
}
