import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Crypto
import MiniPrograms
import PaymentCrypto

/// What merchants' servers ask for with signed calls: tokens for codes, users' data, contracts, and the end of an agreement.
struct TokenService: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.SuperApp
    let authorizations: SuperAppAuthorizationService

    // MARK: Tokens

    /// Exchanges a code, once, or the newest refresh token.
    ///
    /// A code or a refresh token that comes again is refused. Within ``WalletConfiguration/SuperApp/repeatPatience`` of its use it is a
    /// request that was sent twice, and nothing else happens; later it was stolen or kept against the rules, and the tokens that its first
    /// use gave end. One of another client or mini program is answered as one that never was, and ends nothing: a stranger learns nothing
    /// and can break nothing. A refresh ends the access token before it.
    func applyToken(_ request: ApplyTokenRequest, by client: OAuthClient) async throws -> ApplyTokenAnswer {
        if request.version == .v2, !ExactText.equal(request.authClientID, client.id) {
            throw OpenAPIRefusal(
                .invalidAuthClient, try await context.database.lookup { try Self.another(request.authClientID, than: client, in: $0) })
        }
        try requireOurs(request.customerBelongsTo)
        let fresh = Fresh(context: context, lifetimes: side.lifetimes)
        let wanted = Wanted(client: client, appID: request.version == .v2 ? request.appID : request.referenceClientID)
        return try await context.database.writeRepeatably { [self] tx in
            let outcome: Outcome
            if let own = try OAuthTokenRecords.find(access: fresh.accessHash, in: tx) {
                // Our own row: this write was done already, and its commit's answer was lost.
                outcome = .given(own)
            } else {
                switch request.grant {
                case .authorizationCode(let code): outcome = try exchange(code, for: fresh, wanted, in: tx)
                case .refreshToken(let token): outcome = try refresh(token, to: fresh, wanted, in: tx)
                }
            }
            switch outcome {
            case .refused(let result): return ApplyTokenAnswer(result: result)
            case .given(let tokens):
                guard let account = try AccountRecords.find(tokens.account, in: tx), account.state == .active else {
                    throw OpenAPIRefusal(.processFail, "the user's account is closed")
                }
                return ApplyTokenAnswer(
                    result: .success,
                    tokens: .init(
                        accessToken: fresh.access, accessTokenExpiryTime: tokens.accessUntil.openAPITime, refreshToken: fresh.refresh,
                        refreshTokenExpiryTime: tokens.refreshUntil.openAPITime, customerID: account.number))
            }
        }
    }

    /// A pair that was drawn for one request.
    private struct Fresh: Sendable {
        let now: Timestamp
        let access: Secret<String>
        let refresh: Secret<String>
        let accessHash: KeyedHash
        let refreshHash: KeyedHash
        let accessUntil: Timestamp
        let refreshUntil: Timestamp

        init(context: WalletContext, lifetimes: TokenLifetimes) {
            now = context.now()
            let (access, refresh) = (context.random.token(), context.random.token())
            (self.access, self.refresh) = (Secret(access), Secret(refresh))
            accessHash = context.hash(access, OAuthTokenRecords.accessPurpose)
            refreshHash = context.hash(refresh, OAuthTokenRecords.refreshPurpose)
            accessUntil = now.advanced(by: .seconds(lifetimes.accessToken))
            refreshUntil = now.advanced(by: .seconds(lifetimes.refreshToken))
        }
    }

    /// Whose tokens are asked for. Version 1 may leave the mini program out.
    private struct Wanted: Sendable {
        let client: OAuthClient
        let appID: String?

        func fits(_ app: String, _ client: String) -> Bool {
            ExactText.equal(client, self.client.id) && (appID == nil || ExactText.equal(appID, app))
                && self.client.apps.contains { ExactText.equal($0, app) }
        }
    }

    private enum Outcome {
        case given(OAuthTokenRecords.Tokens)
        /// Stored with what it ended.
        case refused(OpenAPIResult)
    }

    private func isRepeat(_ use: Timestamp, _ now: Timestamp) -> Bool { now < use.advanced(by: side.repeatPatience) }

    private func exchange(_ code: Secret<String>, for fresh: Fresh, _ wanted: Wanted, in tx: any Transaction) throws -> Outcome {
        let (hash, now) = (context.hash(code.reveal(), OAuthCodeRecords.purpose), fresh.now)
        let known = try OAuthCodeRecords.find(hash, in: tx).flatMap { wanted.fits($0.app, $0.client) && $0.endedAt == nil ? $0 : nil }
        let refusal = CodeExchange.refusal(
            of: known?.issued, clientID: wanted.client.id, appID: wanted.appID, now: now.microseconds / 1_000_000,
            lifetimes: side.lifetimes)
        if let use = known?.usedAt, !isRepeat(use, now) { try OAuthTokenRecords.end(code: hash, at: now, in: tx) }
        guard refusal == nil, let known else { return .refused(refusal ?? .invalidCode) }
        // Whoever else exchanges it now waits here for the row, and finds it used.
        guard try OAuthCodeRecords.take(hash, at: now, in: tx) else { return .refused(.usedCode) }
        let tokens = OAuthTokenRecords.Tokens(
            code: hash, account: known.account, app: known.app, client: known.client, scopes: known.scopes, access: fresh.accessHash,
            accessUntil: fresh.accessUntil, refresh: fresh.refreshHash, refreshUntil: fresh.refreshUntil, issuedAt: now)
        try OAuthTokenRecords.insert(tokens, in: tx)
        return .given(tokens)
    }

    private func refresh(_ token: Secret<String>, to fresh: Fresh, _ wanted: Wanted, in tx: any Transaction) throws -> Outcome {
        let (hash, now) = (context.hash(token.reveal(), OAuthTokenRecords.refreshPurpose), fresh.now)
        guard var tokens = try OAuthTokenRecords.find(refresh: hash, in: tx) else {
            if let later = try OAuthTokenRecords.find(previousRefresh: hash, in: tx), wanted.fits(later.app, later.client),
                !isRepeat(later.issuedAt, now)
            {
                try OAuthTokenRecords.end(code: later.code, at: now, in: tx)
            }
            return .refused(.invalidRefreshToken)
        }
        guard wanted.fits(tokens.app, tokens.client), tokens.endedAt == nil, now < tokens.refreshUntil else {
            return .refused(.invalidRefreshToken)
        }
        (tokens.access, tokens.accessUntil) = (fresh.accessHash, fresh.accessUntil)
        (tokens.refresh, tokens.refreshUntil, tokens.issuedAt) = (fresh.refreshHash, fresh.refreshUntil, now)
        guard try OAuthTokenRecords.rotate(hash, to: tokens, in: tx) else { return .refused(.invalidRefreshToken) }
        return .given(tokens)
    }

    /// What is wrong with an `authClientId` that is not the client who signs.
    private static func another(_ id: String?, than client: OAuthClient, in tx: any Transaction) throws -> String {
        "\(try NamedParty(id ?? "", in: tx).described(as: "authClientId")), and not the client that signs: Client-Id is "
            + NamedParty.shown(client.id)
    }

    private func requireOurs(_ wallet: String?) throws(OpenAPIRefusal) {
        guard wallet == nil || ExactText.equal(wallet, side.name) else {
            throw OpenAPIRefusal(.paramIllegal, "customerBelongsTo is another wallet")
        }
    }

    // MARK: Users

    /// The tokens that an access token stands for. One that is unknown, ended, too old, or of another client or mini program is refused
    /// alike.
    private func living(
        _ access: Secret<String>, of client: OAuthClient, appID: String?, authClientID: String?, in tx: any Transaction
    ) throws -> OAuthTokenRecords.Tokens {
        let hash = context.hash(access.reveal(), OAuthTokenRecords.accessPurpose)
        guard let tokens = try OAuthTokenRecords.find(access: hash, in: tx), tokens.endedAt == nil, context.now() < tokens.accessUntil,
            Wanted(client: client, appID: appID).fits(tokens.app, tokens.client)
        else { throw OpenAPIRefusal(.invalidAccessToken) }
        guard authClientID == nil || ExactText.equal(authClientID, client.id) else {
            throw OpenAPIRefusal(.invalidAccessToken, try Self.another(authClientID, than: client, in: tx))
        }
        return tokens
    }

    /// What the token's scopes allow to be told of its user, as far as the mini program's policy still gives those scopes.
    func inquiryUserInfo(_ request: InquiryUserInfoRequest, by client: OAuthClient) async throws -> InquiryUserInfoAnswer {
        try requireOurs(request.customerBelongsTo)
        return try await context.database.lookup { [self] tx in
            let tokens = try living(request.accessToken, of: client, appID: request.appID, authClientID: request.authClientID, in: tx)
            guard let account = try AccountRecords.find(tokens.account, in: tx), account.state == .active,
                let app = try MiniProgramRecords.find(tokens.app, in: tx)
            else { throw OpenAPIRefusal(.invalidAccessToken) }
            let scopes = side.policy(of: app).standing(of: tokens.scopes, appID: app.appID, agreed: tokens.scopes).silent
            let info = try Self.info(of: account, logins: AccountRecords.logins(of: account.id, in: tx))
            return InquiryUserInfoAnswer(result: .success, userInfo: UserInfoMember.filtered(info, by: scopes))
        }
    }

    /// What the wallet knows of a user. The hash of a login is SHA-256 in hexadecimal of the login as it is stored [I].
    private static func info(of account: WalletAccount, logins: [String]) -> [UserInfoMember: String] {
        var info: [UserInfoMember: String] = [.userId: account.number, .userName: account.name]
        info[.nickName] = account.name.split(separator: " ").first.map(String.init)
        info[.contactInfo] = logins.first { $0.hasPrefix("+") }
        if let login = logins.first(where: { $0.contains("@") }) ?? logins.first {
            info[.loginId] = login
            info[.hashLoginId] = Hexadecimal.encode(Array(SHA256.hash(data: Array(login.utf8))))
        }
        return info
    }

    // MARK: Contracts and ends

    /// Keeps a contract for automatic debit, and returns the address at which a user signs it (mini-programs.md#contract).
    ///
    /// `INVALID_AUTH_CLIENT` for a client none of whose mini programs may ask for one.
    func prepare(_ request: PrepareRequest, by client: OAuthClient) async throws -> String {
        guard request.contractDescription.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" }) else {
            throw OpenAPIRefusal(.paramIllegal, "contractDesc holds a control character")
        }
        let (now, token) = (context.now(), context.random.token())
        let hash = context.hash(token, ContractRecords.purpose)
        let contract = ContractRecords.Contract(
            client: client.id, terms: request.contractDescription, expiresAt: now.advanced(by: side.contractLifetime))
        try await context.database.writeRepeatably { [self] tx in
            let scopes: Set<String> = [SuperAppAuthorizationService.contractScope]
            let mayAsk = try client.apps.contains { appID in
                try MiniProgramRecords.find(appID, in: tx).map {
                    side.policy(of: $0).standing(of: scopes, appID: appID).refused.isEmpty
                } ?? false
            }
            guard mayAsk else {
                throw OpenAPIRefusal(
                    .invalidAuthClient,
                    "no mini program of the client \(NamedParty.shown(client.id)) may ask for automatic debit: none is granted the scope "
                        + SuperAppAuthorizationService.contractScope)
            }
            try ContractRecords.insert(contract, hash: hash, at: now, in: tx)
        }
        return "\(side.origin)/wallet/contracts/\(token)"
    }

    /// Ends the agreement that a token is under, with all codes and tokens of its user and mini program [I].
    func revoke(_ request: RevokeRequest, by client: OAuthClient) async throws {
        guard let access = request.accessToken else { throw OpenAPIRefusal(.paramIllegal, "accessToken is missing") }
        let tokens = try await context.database.lookup { [self] tx in
            try living(access, of: client, appID: request.appID, authClientID: request.authClientID, in: tx)
        }
        try await authorizations.withdraw(appID: tokens.app, by: tokens.account)
    }
}
