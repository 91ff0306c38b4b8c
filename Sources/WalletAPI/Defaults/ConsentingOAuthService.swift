/// Who asks for which scopes, as a super app's server is told.
public struct ScopeQuestion: Sendable, Hashable {
    public var userID: String
    public var clientID: String
    public var appID: String
    public var scopes: Set<String>

    public init(userID: String, clientID: String, appID: String, scopes: Set<String>) {
        self.userID = userID
        self.clientID = clientID
        self.appID = appID
        self.scopes = scopes
    }
}

/// What the super app's policy says about scopes: silent, ask or forbidden (mini-programs.md#scopes).
public struct ScopeStanding: Sendable, Hashable {
    /// Granted without a question, by policy or by an agreement that the server knows.
    public var silent: Set<String>
    public var ask: Set<String>
    /// Never granted to this mini program, or not known: each with its reason.
    public var forbidden: [String: String]

    public init(silent: Set<String> = [], ask: Set<String> = [], forbidden: [String: String] = [:]) {
        self.silent = silent
        self.ask = ask
        self.forbidden = forbidden
    }
}

/// The super app's server, as ``ConsentingOAuthService`` needs it. A thrown ``WalletFailure`` keeps its code; anything else becomes 1000.
public protocol AuthorizationBackend: Sendable {
    /// Steps 4 to 6: what is silent or agreed to.
    func standing(of question: ScopeQuestion) async throws -> ScopeStanding
    /// Step 12: tells the server that the user agreed; returns what the server calls the agreement, if anything.
    func acknowledge(_ question: ScopeQuestion) async throws -> String?
    /// Steps 24 to 26. Called with what was silent or agreed to, never with forbidden scopes.
    func applyAuthCode(_ question: ScopeQuestion) async throws -> AuthorizationGrant
    /// Takes an agreement back.
    func revoke(userID: String, clientID: String, appID: String) async throws
}

/// What a consent page shows (mini-programs.md#steps, step 10).
public struct ConsentQuestion: Sendable, Hashable {
    public var appID: String
    public var name: String
    /// An address. A page shows pictures of its own servers only.
    public var logo: String
    /// One line each, in this order.
    public var scopes: [String]

    /// Makes a question, for a preview or a test: the service makes its own.
    public init(appID: String, name: String, logo: String, scopes: [String]) {
        self.appID = appID
        self.name = name
        self.logo = logo
        self.scopes = scopes
    }
}

/// Asks the person. Closing the page is a refusal.
public protocol ConsentPage: Sendable {
    /// - Returns: Whether the person agreed to all of it.
    func asks(_ question: ConsentQuestion) async -> Bool
}

/// An OAuthService over a server, a consent page and a scope cache: the documented sample's work, with every branch answered.
// Unchecked only because its superclass is: everything it holds is immutable and sendable.
public final class ConsentingOAuthService: IAPWalletOAuthServiceSignature, @unchecked Sendable {
    private let backend: any AuthorizationBackend
    private let page: any ConsentPage
    private let cache: any ScopeCache
    private let userID: @Sendable () -> String?

    /// - Parameters:
    ///   - backend: The super app's server.
    ///   - page: What asks the person.
    ///   - cache: Where agreed scopes are remembered.
    ///   - userID: Who is signed in now; nil for nobody.
    public init(
        backend: any AuthorizationBackend, page: any ConsentPage, cache: any ScopeCache = MemoryScopeCache(),
        userID: @escaping @Sendable () -> String?
    ) {
        self.backend = backend
        self.page = page
        self.cache = cache
        self.userID = userID
        super.init()
    }

    public override func getAuthCode(
        clientId: String, scopes: Set<String>, type: IAPWalletOAuthCodeFlowType = .standard, extendedInfo: [String: String] = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletOAuthResult) -> Void
    ) {
        Task {
            let result = IAPWalletOAuthResult()
            do {
                let question = try question(clientId, scopes: scopes, in: context)
                let standing = try await backend.standing(of: question)
                result.authErrorScopes = standing.forbidden
                if standing.ask.isSubset(of: cache.scopes(for: question.key)) {
                    try await fill(result, for: question, standing: standing)
                } else {
                    result.fail(.authPendingAgreement, "the user has not agreed to all scopes yet")
                }
            } catch { result.fail(error) }
            callback(result)
        }
    }

    /// Agreed and silent scopes become a code; without any there is nothing to ask a code for.
    private func fill(_ result: IAPWalletOAuthResult, for question: ScopeQuestion, standing: ScopeStanding) async throws {
        var granted = question
        granted.scopes = standing.ask.union(standing.silent)
        guard !granted.scopes.isEmpty else { throw WalletFailure(.appServiceError, "none of the scopes may be granted") }
        let grant = try await backend.applyAuthCode(granted)
        result.authCode = grant.authCode
        result.authSuccessScopes = grant.successScopes
        result.authErrorScopes.merge(grant.errorScopes) { policy, _ in policy }
    }

    /// Shows the scopes that the user has not agreed to yet, and no others: which of both the container means is not specified [I].
    public override func showAuthPage(
        clientId: String, name: String, logo: String, scopes: Set<String>, extendedInfo: [String: String]? = [:],
        in context: IAPWalletAPIContext? = nil, callback: @escaping @Sendable (IAPWalletAuthPageConfirmResult) -> Void
    ) {
        Task {
            let result = IAPWalletAuthPageConfirmResult()
            do {
                var question = try question(clientId, scopes: scopes, in: context)
                question.scopes = try await backend.standing(of: question).ask.subtracting(cache.scopes(for: question.key))
                let asked = ConsentQuestion(appID: question.appID, name: name, logo: logo, scopes: question.scopes.sorted())
                guard await page.asks(asked) else { throw WalletFailure(.userCancel, "the person refused") }
                result.referenceAgreementId = try await backend.acknowledge(question)
                // Before the answer, so that the container's second call finds them (mini-programs.md#steps, step 13).
                cache.add(question.scopes, for: question.key)
            } catch { result.fail(error) }
            callback(result)
        }
    }

    public override func getAuthorizedScopes(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletOAuthScopeQueryResult) -> Void
    ) {
        callback(IAPWalletOAuthScopeQueryResult(authorizedScopes: cache.scopes(for: .init(userID: userId, appID: appId)).sorted()))
    }

    public override func revokeAuthorization(
        userId: String, clientId: String, appId: String, extendedInfo: [String: String] = [:],
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        // Forgotten here first: a server that cannot be reached must not leave the app asking for nothing.
        cache.revoke(.init(userID: userId, appID: appId))
        Task {
            let result = IAPWalletBaseServiceResult()
            do { try await backend.revoke(userID: userId, clientID: clientId, appID: appId) } catch { result.fail(error) }
            callback(result)
        }
    }

    /// Forgets everything that a user agreed to in this app; the server's agreements stand.
    public func signOut(userID: String) { cache.signOut(userID: userID) }

    private func question(_ clientID: String, scopes: Set<String>, in context: IAPWalletAPIContext?) throws -> ScopeQuestion {
        guard let user = userID(), !user.isEmpty else { throw WalletFailure(.appServiceError, "nobody is signed in") }
        // Outside of mini programs there is no id but the client's.
        return ScopeQuestion(userID: user, clientID: clientID, appID: context?.appId ?? clientID, scopes: scopes)
    }
}

extension ScopeQuestion {
    var key: ScopeCacheKey { ScopeCacheKey(userID: userID, appID: appID) }
}

extension IAPWalletBaseServiceResult {
    /// Sets what was thrown: a ``WalletFailure`` as it is, everything else as 1000 without its text, which may hold anything.
    func fail(_ error: any Error) {
        let failure = error as? WalletFailure ?? WalletFailure(.unknownError, "\(type(of: error))")
        fail(failure.code, failure.reason)
    }
}
