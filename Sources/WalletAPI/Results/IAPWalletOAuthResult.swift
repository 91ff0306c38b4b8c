import BillfoldConcurrency
public import Foundation

/// An error whose code is a text, as the published OAuth sample sets it: `result.error.code = "2001"` [D].
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPWalletResultError: NSObject, Sendable {
    private let texts: Locked<(code: String, message: String)>

    public init(code: String = "", message: String = "") { texts = Locked((code, message)) }

    /// The number or the documented name of an ``IAPWalletErrorCode``; empty as long as nothing went wrong.
    public var code: String {
        get { texts.withLock { $0.code } }
        set { texts.withLock { $0.code = newValue } }
    }

    /// For engineers.
    public var message: String {
        get { texts.withLock { $0.message } }
        set { texts.withLock { $0.message = newValue } }
    }

    public override var description: String { "\(code) \(message)" }
}

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
        var error = IAPWalletResultError()
    }

    private let answer = Locked(Answer())

    public override init() { super.init() }

    public convenience init(
        authCode: String?, authState: String? = nil, authErrorScopes: [String: String] = [:], authSuccessScopes: [String] = [],
        authRedirectUrl: String? = nil
    ) {
        self.init()
        answer.withLock {
            $0 = Answer(
                authCode: authCode, authState: authState, authErrorScopes: authErrorScopes, authSuccessScopes: authSuccessScopes,
                authRedirectUrl: authRedirectUrl)
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

    /// What went wrong, by a text code. It is always there; an empty code says that nothing did.
    public var error: IAPWalletResultError {
        get { answer.withLock { $0.error } }
        set { answer.withLock { $0.error = newValue } }
    }

    /// Reads the text code, and an `NSError` that was set through the superclass.
    public override var failure: WalletFailure? {
        let (code, message) = answer.withLock { ($0.error.code, $0.error.message) }
        guard !code.isEmpty else { return super.failure }
        guard let known = IAPWalletErrorCode(text: code) else {
            return WalletFailure(.unknownError, "error \(code.prefix(64))\(message.isEmpty ? "" : ": \(message)")")
        }
        return WalletFailure(known, message.isEmpty ? known.name : message)
    }

    public override func fail(_ code: IAPWalletErrorCode, _ reason: String) {
        answer.withLock { $0.error = IAPWalletResultError(code: String(code.rawValue), message: reason) }
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

    public override init() { super.init() }

    public convenience init(_ referenceAgreementId: String?) {
        self.init()
        self.referenceAgreementId = referenceAgreementId
    }

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

    public override init() { super.init() }

    public convenience init(authorizedScopes: [String]) {
        self.init()
        self.authorizedScopes = authorizedScopes
    }

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
