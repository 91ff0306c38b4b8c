import BillfoldConcurrency
import Foundation

/// What `getAuthCode` answers: a code, or an error; and what became of each scope (mini-programs.md#oauthservice [D]).
///
/// Both lists may be filled: a part of the scopes was granted, and the others were refused for the reasons given.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because its superclass is: its state lies behind a lock.
public final class IAPWalletOAuthResult: IAPWalletBaseServiceResult, @unchecked Sendable {
    private struct Answer {
        var authCode: String?
        var authState: String?
        var authErrorScopes: [String: String] = [:]
        var authSuccessScopes: [String] = []
        var authRedirectUrl: String?
    }

    private let answer = Locked(Answer())

    /// Makes a result that the service fills afterwards.
    public override init() { super.init() }

    /// Makes a result with the members of the published sample [D]; absent lists are empty.
    public convenience init(
        authCode: String?, authState: String? = nil, authErrorScopes: [String: String]? = nil, authSuccessScopes: [String]? = nil,
        authRedirectUrl: String? = nil
    ) {
        self.init()
        answer.withLock {
            $0 = Answer(
                authCode: authCode, authState: authState, authErrorScopes: authErrorScopes ?? [:],
                authSuccessScopes: authSuccessScopes ?? [], authRedirectUrl: authRedirectUrl)
        }
    }

    /// Used once by the merchant's server, within minutes. Secret until then.
    public var authCode: String? {
        get { answer.withLock { $0.authCode } }
        set { answer.withLock { $0.authCode = newValue } }
    }

    /// Not used by mini programs [I].
    public var authState: String? {
        get { answer.withLock { $0.authState } }
        set { answer.withLock { $0.authState = newValue } }
    }

    /// The scopes that were not granted, each with its reason.
    public var authErrorScopes: [String: String] {
        get { answer.withLock { $0.authErrorScopes } }
        set { answer.withLock { $0.authErrorScopes = newValue } }
    }

    /// The scopes that the code stands for.
    public var authSuccessScopes: [String] {
        get { answer.withLock { $0.authSuccessScopes } }
        set { answer.withLock { $0.authSuccessScopes = newValue } }
    }

    /// Not used by mini programs [I].
    public var authRedirectUrl: String? {
        get { answer.withLock { $0.authRedirectUrl } }
        set { answer.withLock { $0.authRedirectUrl = newValue } }
    }

    /// Never shows the code.
    public override var description: String {
        failure.map { "\($0)" } ?? "granted \(authSuccessScopes.sorted()), refused \(authErrorScopes.keys.sorted())"
    }
}

/// What the consent page answers. Without an error the person agreed; with one, whichever, the person did not
/// (mini-programs.md#consent-rules [D]).
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because its superclass is: its state lies behind a lock.
public final class IAPWalletAuthPageConfirmResult: IAPWalletBaseServiceResult, @unchecked Sendable {
    private let agreement = Locked<String?>(nil)

    /// Makes a result that says that the person agreed.
    public override init() { super.init() }

    /// Makes a result with the agreement's id, as the published sample writes it [D].
    public convenience init(_ referenceAgreementId: String?) {
        self.init()
        self.referenceAgreementId = referenceAgreementId
    }

    /// Makes a result with the agreement's id.
    public convenience init(referenceAgreementId: String?) { self.init(referenceAgreementId) }

    /// What the super app's server calls the agreement; nil where it was not told (mini-programs.md#steps, step 12).
    public var referenceAgreementId: String? {
        get { agreement.withLock { $0 } }
        set { agreement.withLock { $0 = newValue } }
    }
}

/// The consent result's other documented name (mini-programs.md#oauthservice [D]).
public typealias IAPWalletOAuthPageConfirmResult = IAPWalletAuthPageConfirmResult

/// What a user has already agreed to for one mini program.
#if canImport(ObjectiveC)
    @objcMembers
#endif
// Unchecked only because its superclass is: its state lies behind a lock.
public final class IAPWalletOAuthScopeQueryResult: IAPWalletBaseServiceResult, @unchecked Sendable {
    private let scopes = Locked<[String]>([])

    /// Makes a result without scopes: the user agreed to nothing yet.
    public override init() { super.init() }

    /// Makes a result with what the user agreed to.
    public convenience init(authorizedScopes: [String]) {
        self.init()
        self.authorizedScopes = authorizedScopes
    }

    /// Makes a result with what the user agreed to, without a label.
    public convenience init(_ authorizedScopes: [String]) { self.init(authorizedScopes: authorizedScopes) }

    /// What the user has agreed to.
    public var authorizedScopes: [String] {
        get { scopes.withLock { $0 } }
        set { scopes.withLock { $0 = newValue } }
    }

    /// As ``authorizedScopes``; the documents spell it both ways.
    public var authorisedScopes: [String] {
        get { authorizedScopes }
        set { authorizedScopes = newValue }
    }
}
