import BillfoldJSON

/// What a super app grants silently, asks for or forbids: its own policy, kept as data (mini-programs.md#scopes).
public struct ScopePolicy: Sendable, Hashable {
    /// What becomes of a scope that is asked for.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        case silent
        case ask
        case forbidden
    }

    /// For every mini program. A scope that is not here is not known, and is refused by itself.
    public var rules: [String: Rule]
    /// For one mini program, over ``rules``.
    public var exceptions: [String: [String: Rule]]

    public init(rules: [String: Rule], exceptions: [String: [String: Rule]] = [:]) {
        self.rules = rules
        self.exceptions = exceptions
    }

    /// The documented scopes: the user's id is silent, the contract for debit and cards are for those alone that an exception names.
    public static let standard = ScopePolicy(rules: [
        "auth_base": .silent, "BASE_USER_INFO": .silent, "USER_ID": .silent, "auth_user": .ask, "USER_INFO": .ask, "USER_LOGIN_ID": .ask,
        "HASH_LOGIN_ID": .ask, "USER_NICKNAME": .ask, "USER_NAME": .ask, "USER_AVATAR": .ask, "USER_GENDER": .ask, "USER_BIRTHDAY": .ask,
        "USER_NATIONALITY": .ask, "USER_CONTACTINFO": .ask, "SEND_MESSAGE": .ask, "NOTIFICATION_INBOX": .ask, "AGREEMENT_PAY": .forbidden,
        "CARD_LIST": .forbidden,
    ])

    /// Scopes, sorted by what becomes of them.
    public struct Standing: Sendable, Hashable {
        public var silent: Set<String> = []
        public var ask: Set<String> = []
        /// With reasons for the mini program's author.
        public var refused: [String: String] = [:]
    }

    /// Sorts scopes for a mini program. A scope that the user agreed to before is as good as silent; a forbidden one stays forbidden.
    public func standing(of scopes: Set<String>, appID: String, agreed: Set<String> = []) -> Standing {
        var standing = Standing()
        for scope in scopes {
            switch exceptions[appID]?[scope] ?? rules[scope] {
            case .silent?: standing.silent.insert(scope)
            case .ask? where agreed.contains(scope): standing.silent.insert(scope)
            case .ask?: standing.ask.insert(scope)
            case .forbidden?: standing.refused[scope] = "the scope is not open to this mini program"
            case nil: standing.refused[String(scope.prefix(64))] = "the scope is not known"
            }
        }
        return standing
    }
}

/// How long codes and tokens live, in seconds. Documents differ from minutes to years; short is the default (mini-programs.md#lifetimes).
public struct TokenLifetimes: Sendable, Hashable {
    /// Of an authorization code, used once. Ten minutes at most is sensible.
    public var authCode: Int64
    public var accessToken: Int64
    /// Usually longer than the access token's.
    public var refreshToken: Int64

    public init(authCode: Int64 = 300, accessToken: Int64 = 86_400, refreshToken: Int64 = 30 * 86_400) {
        self.authCode = authCode
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}

/// What becomes of an authorization code that is presented. Pure: the server gives what it stored and the time.
public enum CodeExchange {
    /// What a server keeps of a code that it issued.
    public struct IssuedCode: Sendable, Hashable {
        public var appID: String
        public var authClientID: String
        /// Seconds since 1970.
        public var issuedAt: Int64
        public var isUsed: Bool

        public init(appID: String, authClientID: String, issuedAt: Int64, isUsed: Bool = false) {
            self.appID = appID
            self.authClientID = authClientID
            self.issuedAt = issuedAt
            self.isUsed = isUsed
        }
    }

    /// The result for a code presented by a client, nil where it is exchanged.
    ///
    /// A code of another client or app is answered as one that never was, so that a stranger learns nothing of it. A code that comes twice was
    /// stolen or repeated: the server should take back what the first exchange gave.
    public static func refusal(
        of code: IssuedCode?, clientID: String, appID: String?, now: Int64, lifetimes: TokenLifetimes = TokenLifetimes()
    ) -> OpenAPIResult? {
        guard let code, ExactText.equal(code.authClientID, clientID), appID == nil || ExactText.equal(appID, code.appID) else { return .invalidCode }
        if code.isUsed { return .usedCode }
        // A time before the code's own is a clock that went back: it does not make codes live longer.
        guard now >= code.issuedAt, now - code.issuedAt < lifetimes.authCode else { return .expiredCode }
        return nil
    }
}
