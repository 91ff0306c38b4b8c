import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import MiniPrograms

/// What a signed-in user of the super app does: gets codes for mini programs, agrees to scopes, and takes agreements back.
///
/// Users' agreements live here, so that every device of a user knows them; a container may keep a copy.
struct SuperAppAuthorizationService: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.SuperApp
    let passwords: PasswordService
    let limiter: RateLimiter

    /// The scope of contracts for automatic debit, which no page of scopes can give: a contract is signed for it.
    static let contractScope = PrepareRequest.scope

    // MARK: Codes

    /// Issues a code for the scopes that are silent or agreed to (mini-programs.md#steps, 4 to 7 and 24 to 27).
    ///
    /// Where the user has to agree first the answer is ``ApplyAuthCodeAnswer/pendingAgreement`` with the scopes to ask for. With the id of
    /// an agreement the user was asked already: what is still not agreed to is refused by itself, and the rest goes on. Unknown and
    /// forbidden scopes never fail the others.
    func applyAuthCode(_ request: ApplyAuthCodeRequest, by account: WalletAccount) async throws -> ApplyAuthCodeAnswer {
        try admit(account)
        let (now, secret) = (context.now(), context.random.token())
        let hash = context.hash(secret, OAuthCodeRecords.purpose)
        let answer = try await context.database.writeRepeatably { [self] tx in
            let (app, client) = try party(request.appID, request.authClientID, in: tx)
            try AgreementRecords.hold(account.id, app: app.appID, in: tx)
            let live = try AgreementRecords.live(account.id, app: app.appID, in: tx)
            if let id = request.referenceAgreementID, !live.contains(where: { $0.id.description == id }) {
                throw OpenAPIRefusal(.paramIllegal, "referenceAgreementId is no agreement of this user with this mini program")
            }
            var standing = side.policy(of: app).standing(
                of: Set(request.scopes), appID: app.appID, agreed: live.reduce(into: []) { $0.formUnion($1.scopes) })
            if standing.ask.remove(Self.contractScope) != nil {
                standing.refused[Self.contractScope] = "a contract is signed at the address that prepare gives"
            }
            if request.referenceAgreementID != nil {
                for scope in standing.ask { standing.refused[scope] = "the user did not agree" }
                standing.ask = []
            }
            guard standing.ask.isEmpty else {
                return ApplyAuthCodeAnswer(
                    result: ApplyAuthCodeAnswer.pendingAgreement, errorScopes: standing.refused, pendingScopes: standing.ask.sorted())
            }
            guard !standing.silent.isEmpty else {
                return ApplyAuthCodeAnswer(
                    result: .accessDenied.saying("none of the scopes can be given"), errorScopes: standing.refused)
            }
            try issue(
                OAuthCodeRecords.Code(
                    account: account.id, app: app.appID, client: client.id, scopes: standing.silent, issuedAt: now), hash, in: tx)
            return ApplyAuthCodeAnswer(
                result: .success, authCode: Secret(secret), successScopes: standing.silent.sorted(), errorScopes: standing.refused)
        }
        context.count("wallet_auth_codes_total", [("result", answer.result.resultStatus.rawValue)])
        context.trace.note(
            "applyAuthCode",
            fields: [
                .init("appId", request.appID), .init("scopes", request.scopes.joined(separator: " ")),
                .init("authSuccessScopes", answer.successScopes.joined(separator: " ")), .init("resultCode", answer.result.resultCode),
            ], about: answer.authCode == nil ? [:] : ["oauth.authCode": OAuthStory.name(hash.bytes)],
            problem: answer.result.resultStatus == .success ? nil : answer.result.resultMessage)
        return answer
    }

    /// Issues a code, and forgets codes whose replay nobody could still mean.
    private func issue(_ code: OAuthCodeRecords.Code, _ hash: KeyedHash, in tx: any Transaction) throws {
        try OAuthCodeRecords.insert(code, hash: hash, in: tx)
        let day: Int64 = 86_400
        try OAuthCodeRecords.delete(issuedBefore: code.issuedAt.advanced(by: .seconds(-(side.lifetimes.authCode + day))), in: tx)
    }

    private func admit(_ account: WalletAccount) throws(OpenAPIRefusal) {
        guard limiter.admit(account.number) == .admitted else { throw OpenAPIRefusal(.trafficExceedsLimit) }
    }

    /// The mini program and its client. The refusals name what integrators get wrong: a client id that nobody recorded, or the mini
    /// program's id in its place (mini-programs.md#client-id, mini-programs.md#failures).
    private func party(
        _ appID: String, _ clientID: String, in tx: any Transaction
    ) throws -> (app: HostedMiniProgram, client: OAuthClient) {
        guard let app = try MiniProgramRecords.find(appID, in: tx), app.isOpen else {
            throw OpenAPIRefusal(.paramIllegal, "appId names no mini program of this wallet")
        }
        guard !ExactText.equal(clientID, appID) || ExactText.equal(app.profile.authClientID, appID) else {
            throw OpenAPIRefusal(
                .invalidAuthClient,
                "authClientId \(NamedParty.shown(clientID)) is the mini program's own id; it has to be the merchant's client")
        }
        guard let recorded = app.profile.authClientID else {
            throw OpenAPIRefusal(.invalidAuthClient, "no authClientId is recorded for the mini program: record it on the platform")
        }
        guard recorded == clientID else {
            throw OpenAPIRefusal(
                .invalidAuthClient,
                "\(try NamedParty(clientID, in: tx).described(as: "authClientId")), and not the one that is recorded for the mini program: "
                    + "that is \(NamedParty.shown(recorded))")
        }
        guard let client = try SignerRecords.client(clientID, in: tx) else {
            throw OpenAPIRefusal(
                .invalidAuthClient,
                "\(try NamedParty(clientID, in: tx).described(as: "the recorded authClientId")): "
                    + "record the merchant's client for the mini program, and register it")
        }
        guard client.isOpen else { throw OpenAPIRefusal(.invalidAuthClientStatus) }
        guard client.apps.contains(appID) else {
            throw OpenAPIRefusal(.accessDenied, "the client is not registered for this mini program")
        }
        return (app, client)
    }

    // MARK: Agreements

    /// Stores that a user agreed to scopes on the page (mini-programs.md#steps, step 12), and returns the agreement's id.
    ///
    /// Agreements add up. Refuses with `PARAM_ILLEGAL` scopes that the mini program may not ask for: a page never shows them.
    func agree(to scopes: Set<String>, appID: String, clientID: String, by account: WalletAccount) async throws -> TimeOrderedID {
        try admit(account)
        let now = context.now()
        let id = context.identifiers.next(at: now)
        return try await context.database.writeRepeatably { [self] tx in
            let (app, _) = try party(appID, clientID, in: tx)
            let live = try AgreementRecords.live(account.id, app: app.appID, in: tx)
            if let known = live.last(where: { $0.scopes.isSuperset(of: scopes) }) { return known.id }
            let standing = side.policy(of: app).standing(of: scopes, appID: app.appID)
            guard standing.refused.isEmpty, !scopes.contains(Self.contractScope) else {
                throw OpenAPIRefusal(.paramIllegal, "a scope cannot be agreed to here")
            }
            try AgreementRecords.insert(.init(id: id, app: app.appID, scopes: scopes, agreedAt: now), account: account.id, in: tx)
            return id
        }
    }

    /// What a user has agreed to; of every mini program where none is named.
    func agreements(of account: WalletAccount, appID: String?) async throws -> [String: Set<String>] {
        try await context.database.lookup { tx in
            try AgreementRecords.live(account.id, app: appID, in: tx).reduce(into: [:]) { $0[$1.app, default: []].formUnion($1.scopes) }
        }
    }

    /// Takes every agreement of a user with a mini program back. Codes and tokens under them end. Doing it again changes nothing.
    func withdraw(appID: String, by account: TimeOrderedID) async throws {
        let now = context.now()
        let count = try await context.database.writeRepeatably { tx in
            let count = try AgreementRecords.withdraw(account, app: appID, at: now, in: tx)
            try OAuthCodeRecords.end(account, app: appID, at: now, in: tx)
            try OAuthTokenRecords.end(account, app: appID, at: now, in: tx)
            return count
        }
        context.trace.note(
            "agreements withdrawn", fields: [.init("appId", appID), .init("agreements", String(count))], about: [:])
    }

    // MARK: Contracts for automatic debit

    /// What a page shows before a contract is signed.
    struct UnsignedContract: Sendable {
        /// The merchant's.
        var client: OAuthClient
        var terms: String
        /// The merchant's mini programs that may ask for automatic debit, in the order of their ids.
        var apps: [HostedMiniProgram]
    }

    /// Refuses with `not-found` an address that is none, was signed, or is too old.
    func contract(_ token: String) async throws -> UnsignedContract {
        let (hash, now) = (context.hash(token, ContractRecords.purpose), context.now())
        let found = try await context.database.lookup { [self] tx -> UnsignedContract? in
            guard let contract = try ContractRecords.find(hash, in: tx), contract.signedAt == nil, now < contract.expiresAt,
                let client = try SignerRecords.client(contract.client, in: tx)
            else { return nil }
            let apps = try client.apps.sorted().compactMap { try MiniProgramRecords.find($0, in: tx) }.filter { app in
                app.isOpen && side.policy(of: app).standing(of: [Self.contractScope], appID: app.appID).refused.isEmpty
            }
            return UnsignedContract(client: client, terms: contract.terms, apps: apps)
        }
        guard let found else { throw Self.noContract }
        return found
    }

    static let noContract = WalletError(code: .notFound, reason: "there is no contract to sign at this address")

    /// Signs a contract with the payment password, and issues a code for it (mini-programs.md#contract).
    ///
    /// The password's verdict, the signature, the agreement and the code are one write. A wrong password is `ACCESS_DENIED`, and counts as
    /// one at a payment does.
    func sign(
        contract token: String, appID: String, clientID: String, password: Secret<String>, by account: WalletAccount
    ) async throws -> ApplyAuthCodeAnswer {
        try admit(account)
        let isRight = try await passwords.matches(password, .payment, of: account)
        let (now, secret, limit) = (context.now(), context.random.token(), context.configuration.paymentLimit)
        let (hash, contractHash) = (context.hash(secret, OAuthCodeRecords.purpose), context.hash(token, ContractRecords.purpose))
        let agreement = context.identifiers.next(at: now)
        let scopes: Set<String> = [Self.contractScope]
        return try await context.database.writeRepeatably { [self] tx in
            let done = ApplyAuthCodeAnswer(result: .success, authCode: Secret(secret), successScopes: scopes.sorted())
            // Our own row: this write was done already, and its commit's answer was lost.
            if try OAuthCodeRecords.find(hash, in: tx) != nil { return done }
            let (app, client) = try party(appID, clientID, in: tx)
            guard let contract = try ContractRecords.find(contractHash, in: tx), contract.client == client.id else { throw Self.noContract }
            let standing = side.policy(of: app).standing(of: scopes, appID: app.appID)
            guard standing.refused.isEmpty else {
                return ApplyAuthCodeAnswer(result: .accessDenied, errorScopes: standing.refused)
            }
            guard isRight, try AccountRecords.takeSuccess(.payment, of: account.id, hash: account.payment.hash, at: now, in: tx) else {
                _ = try CheckoutService.wrong(account, limit, isWrong: !isRight, at: now, in: tx)
                return ApplyAuthCodeAnswer(result: .accessDenied.saying("the payment password is wrong, or locked"))
            }
            guard try ContractRecords.sign(contractHash, by: account.id, app: app.appID, at: now, in: tx) else { throw Self.noContract }
            try AgreementRecords.insert(
                .init(id: agreement, app: app.appID, scopes: scopes, agreedAt: now), account: account.id, in: tx)
            try issue(
                OAuthCodeRecords.Code(account: account.id, app: app.appID, client: client.id, scopes: scopes, issuedAt: now), hash, in: tx)
            return done
        }
    }
}
