import AlipayPlus
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import PaymentCrypto

/// Automatic debit: the consent, its tokens, and their end. Our codes and tokens are made by a key from what is stored, so that a repeated
/// request gets the same ones and none is kept; the wallet's own lie sealed.
struct AuthorizationService: Sendable {
    let context: AlipayPlusServerContext
    let wallets: WalletClient

    /// How long tokens hold where the wallet says nothing [I].
    private static let accessLifetime: Duration = .seconds(365 * 86_400)

    // MARK: Consent

    func prepare(_ request: PrepareRequest, by acquirer: Acquirer) async throws -> PrepareAnswer {
        guard acquirer.merchant(request.authClientId) != nil else { throw ResultRefusal(.merchantNotRegistered) }
        guard let redirect = request.authRedirectUrl else { throw ResultRefusal(.paramIllegal, "authRedirectUrl is missing") }
        if let problem = CallbackAddresses(acquirer, context.addresses).problem(returning: redirect) {
            throw ResultRefusal(.paramIllegal, "authRedirectUrl is refused: \(problem)")
        }
        guard let type = request.paymentMethodType?.rawValue, let wallet = try await context.parties.wallet(type)?.wallet,
            acquirer.covers(type), wallet.scenarios.contains(.automaticDebit)
        else { throw ResultRefusal(.unavailablePaymentMethod) }
        let now = context.clock.now()
        let id = context.identifiers.next(at: now)
        // The same agreement is the same consent (alipay-plus.md#idempotency [D]); without its id every request is a new one.
        let key = try IdempotencyKey(
            caller: acquirer.clientID, operation: PrepareRequest.api,
            key: request.referenceAgreementId == nil
                ? id.description
                : KeyedHash(of: request.idempotencyKey.utf8, purpose: PrepareRequest.api, key: context.configuration.keys.hashing).text)
        let keyed = KeyedRequest(key, fingerprint: RequestFingerprint(texts: request.comparedValues), subject: id, at: now)
        if let known = try await known(keyed, acquirer: acquirer) { return answer(known) }
        let reference = id.description
        let asked = PrepareRequest(
            authClientId: request.authClientId, authClientName: request.authClientName,
            authClientDisplayName: request.authClientDisplayName,
            scopes: request.scopes, authRedirectUrl: "\(context.configuration.origin)/authorized/\(reference)", authState: reference,
            referenceAgreementId: reference, paymentMethodType: request.paymentMethodType, terminalType: request.terminalType,
            osType: request.osType)
        guard
            case .answered(let told, _) = await wallets.call(
                PrepareRequest.self, body: asked.body, to: type, about: ["alipay-plus.authorization": reference])
        else { throw ResultRefusal(.unknownException) }
        guard told.result.isSuccess, let url = told.normalUrl ?? told.authUrl else {
            throw ResultRefusal(told.result.isFailure ? told.result : .unknownException)
        }
        let authorization = Authorization(
            acquirer: acquirer.id, id: id, reference: reference, state: .prepared, version: 1,
            terms: .init(
                wallet: type, authClientID: request.authClientId, clientName: request.authClientName, redirectURL: redirect,
                authState: request.authState, walletURL: url), progress: .init(), createdAt: now)
        let decided = try await context.database.decideOnce(keyed, answering: id.bytes) { tx in
            try AuthorizationRecords.insert(authorization, in: tx)
            return authorization
        }
        if let made = try decided.made() { return answer(made) }
        return answer(try await known(keyed, acquirer: acquirer) ?? authorization)
    }

    private func known(_ request: KeyedRequest, acquirer: Acquirer) async throws -> Authorization? {
        try await context.database.lookup { tx in
            let outcome = try IdempotencyRecords.find(request.key, fingerprint: request.fingerprint, in: tx)
            if outcome == .conflict { throw ResultRefusal(.repeatRequestInconsistent) }
            return try outcome?.object.flatMap { try AuthorizationRecords.find($0, acquirer: acquirer.id, in: tx) }
        }
    }

    private func answer(_ authorization: Authorization) -> PrepareAnswer {
        let url = "\(context.configuration.origin)/authorize/\(authorization.reference)"
        return PrepareAnswer(result: .success, authUrl: url, normalUrl: url)
    }

    /// The wallet tells of the consent, or of its end.
    func notified(_ request: AuthNotifyRequest, by wallet: PartnerWallet) async throws -> PlainAnswer {
        guard let reference = request.authState else { throw ResultRefusal(.paramIllegal, "authState is missing") }
        try await change(reference, of: wallet.type, telling: request.authorizationNotifyType) { [self] authorization in
            switch request.authorizationNotifyType {
            case .authCodeCreated:
                guard let code = request.authCode else { throw ResultRefusal(.paramIllegal, "authCode is missing") }
                guard authorization.state == .prepared else { return nil }
                var next = authorization
                next.state = .consented
                next.progress.customerID = request.customerId
                next.progress.sealedCode = try seal(code, as: "code", of: authorization)
                next.codeHash = hash(self.secret("code", next), "code")
                return next
            case .tokenCanceled:
                guard authorization.state != .cancelled else { return nil }
                return cancelled(authorization)
            default: return nil
            }
        }
        return PlainAnswer(result: .success)
    }

    /// - Parameter type: What the acquirer is told of the change; nothing where it asked for it itself.
    private func change(
        _ reference: String, of wallet: String, telling type: AuthorizationNotifyType? = nil,
        _ body: @escaping @Sendable (Authorization) throws -> Authorization?
    ) async throws {
        try await context.database.writeRepeatably { [self] tx in
            try tx.changing("the authorisation") { _ in
                guard let found = try AuthorizationRecords.find(reference: reference, in: tx), ExactText.equal(found.terms.wallet, wallet)
                else {
                    throw ResultRefusal(.orderNotExist, "there is no such authorisation")
                }
                guard let next = try body(found) else { return () }
                guard try AuthorizationRecords.update(next, in: tx) else { return nil }
                if let type { try tx.executeBatch(news(type, of: next, in: tx)) }
                return ()
            }
        }
    }

    /// What the acquirer is told of a change, stored with it (alipay-plus.md#automatic-debit [D]). No secret is stored: see
    /// ``completed(_:of:)``.
    private func news(
        _ type: AuthorizationNotifyType, of authorization: Authorization, in tx: any Transaction
    ) throws -> [Statement] {
        let acquirer = try AlipayPlusPartyRecords.acquirer(authorization.acquirer, in: tx)
        let message = AuthNotifyRequest(
            authorizationNotifyType: type, authClientId: authorization.terms.authClientID, authState: authorization.terms.authState,
            customerId: authorization.progress.customerID,
            pspId: try AlipayPlusPartyRecords.wallet(authorization.terms.wallet, in: tx)?.pspID,
            acquirerId: authorization.acquirer.description, tokenExpiryTime: authorization.progress.accessEnds?.alipayPlusTime)
        return try context.store.composer.statements(
            message, kind: "authorization", says: type.rawValue, url: acquirer?.notifyURL, acquirer: authorization.acquirer,
            subject: authorization.id, version: authorization.version, at: context.clock.now())
    }

    /// The body of a notification as it is sent: the code of a consent is put in, made anew from what is stored.
    func completed(_ body: [UInt8], of message: OutboxMessage) async throws -> [UInt8] {
        guard var notice = try? AuthNotifyRequest(body: body), notice.authorizationNotifyType == .authCodeCreated,
            let found = try await context.database.lookup({
                try AuthorizationRecords.find(message.subject, acquirer: message.merchant, in: $0)
            })
        else { return body }
        notice.authCode = secret("code", found)
        return notice.body
    }

    private func cancelled(_ authorization: Authorization) -> Authorization {
        var next = authorization
        next.state = .cancelled
        (next.progress.sealedCode, next.progress.sealedAccess, next.progress.sealedRefresh) = (nil, nil, nil)
        return next
    }

    // MARK: Tokens

    func applyToken(_ request: ApplyTokenRequest, by acquirer: Acquirer) async throws -> ApplyTokenAnswer {
        let isRefresh = request.grantType == .refreshToken
        let use = isRefresh ? "refresh" : "code"
        let sent = hash((isRefresh ? request.refreshToken : request.authCode) ?? "", use)
        let found = try await context.database.lookup {
            try AuthorizationRecords.find(isRefresh ? .refresh : .code, sent, acquirer: acquirer.id, in: $0)
        }
        guard let found, ExactText.equal(found.terms.authClientID, request.authClientId), found.state != .cancelled else {
            throw ResultRefusal(isRefresh ? .invalidToken : .invalidCode)
        }
        if !isRefresh, found.state == .active {
            // The code was redeemed before: its tokens are told again, until they are refreshed.
            guard found.progress.generation == 1 else { throw ResultRefusal(.invalidCode) }
            return try await tokens(of: found)
        }
        if isRefresh, let end = found.progress.refreshEnds, end <= context.clock.now() { throw ResultRefusal(.invalidToken) }
        guard let sealed = isRefresh ? found.progress.sealedRefresh : found.progress.sealedCode else { throw ResultRefusal(.invalidCode) }
        let secret = try open(sealed, as: use, of: found)
        let asked = ApplyTokenRequest(
            grantType: request.grantType, authClientId: found.terms.authClientID, authCode: isRefresh ? nil : secret,
            refreshToken: isRefresh ? secret : nil)
        guard
            case .answered(let told, _) = await wallets.call(
                ApplyTokenRequest.self, body: asked.body, to: found.terms.wallet, about: ["alipay-plus.authorization": found.reference])
        else { throw ResultRefusal(.unknownException) }
        guard told.result.isSuccess, let access = told.accessToken else {
            throw ResultRefusal(told.result.isFailure ? told.result : .unknownException)
        }
        var next = found
        next.state = .active
        next.progress.sealedCode = nil
        next.progress.generation += 1
        next.progress.customerID = told.customerId ?? found.progress.customerID
        next.progress.sealedAccess = try seal(access, as: "access", of: found)
        next.progress.sealedRefresh = try told.refreshToken.map { try seal($0, as: "refresh", of: found) } ?? found.progress.sealedRefresh
        let now = context.clock.now()
        next.progress.accessEnds = told.accessTokenExpiryTime.map { Timestamp($0) } ?? now.advanced(by: Self.accessLifetime)
        next.progress.refreshEnds = told.refreshTokenExpiryTime.map { Timestamp($0) } ?? now.advanced(by: Self.accessLifetime * 2)
        next.accessHash = hash(self.secret("access", next), "access")
        next.refreshHash = hash(self.secret("refresh", next), "refresh")
        let wanted = next
        let isStored = try await context.database.writeRepeatably { [self] tx in
            guard try AuthorizationRecords.update(wanted, in: tx) else { return false }
            // A refresh is the acquirer's own doing, and nothing new.
            if !isRefresh { try tx.executeBatch(news(.tokenCreated, of: wanted, in: tx)) }
            return true
        }
        // Another request was quicker: this one is sent again and finds what that one stored.
        guard isStored else { throw ResultRefusal(.unknownException) }
        return try await tokens(of: wanted)
    }

    private func tokens(of authorization: Authorization) async throws -> ApplyTokenAnswer {
        let wallet = try await context.parties.wallet(authorization.terms.wallet)?.wallet
        return ApplyTokenAnswer(
            result: .success, accessToken: secret("access", authorization),
            accessTokenExpiryTime: authorization.progress.accessEnds?.alipayPlusTime, refreshToken: secret("refresh", authorization),
            refreshTokenExpiryTime: authorization.progress.refreshEnds?.alipayPlusTime, customerId: authorization.progress.customerID,
            pspId: wallet?.pspID, acquirerId: authorization.acquirer.description)
    }

    /// Ends an agreement: no payment is begun with the token from now on, whatever the wallet says.
    func cancelToken(_ request: CancelTokenRequest, by acquirer: Acquirer) async throws -> PlainAnswer {
        let sent = hash(request.accessToken, "access")
        let found = try await context.database.lookup { try AuthorizationRecords.find(.access, sent, acquirer: acquirer.id, in: $0) }
        guard let found else { throw ResultRefusal(.invalidToken) }
        guard found.state != .cancelled else { return PlainAnswer(result: .success) }
        if let sealed = found.progress.sealedAccess {
            let asked = CancelTokenRequest(accessToken: try open(sealed, as: "access", of: found))
            guard
                case .answered(let told, _) = await wallets.call(
                    CancelTokenRequest.self, body: asked.body, to: found.terms.wallet,
                    about: ["alipay-plus.authorization": found.reference]), told.result.resultStatus != .unknown
            else { throw ResultRefusal(.unknownException) }
        }
        try await change(found.reference, of: found.terms.wallet) { [self] in $0.state == .cancelled ? nil : cancelled($0) }
        return PlainAnswer(result: .success)
    }

    // MARK: Pages

    /// Where the person grants it; nil where there is no such authorisation, or nothing to decide.
    func walletPage(_ reference: String) async throws -> String? {
        let found = try await context.database.lookup { try AuthorizationRecords.find(reference: reference, in: $0) }
        return found?.state == .prepared ? found?.terms.walletURL : nil
    }

    /// Where the person goes after the consent: the merchant's address with our code.
    func returnAddress(_ reference: String) async throws -> String? {
        guard let found = try await context.database.lookup({ try AuthorizationRecords.find(reference: reference, in: $0) }) else {
            return nil
        }
        var query: [(String, String)] = []
        if found.state == .consented || found.state == .active { query.append(("authCode", secret("code", found))) }
        if let state = found.terms.authState { query.append(("authState", state)) }
        let text = query.map { "\($0.0)=\(PercentEncoding.encode($0.1.utf8))" }.joined(separator: "&")
        return "\(found.terms.redirectURL)\(found.terms.redirectURL.contains("?") ? "&" : "?")\(text)"
    }

    // MARK: Secrets

    /// Our own code or token: from the key and what is stored, the same each time.
    private func secret(_ use: String, _ authorization: Authorization) -> String {
        let generation = use == "code" ? 0 : authorization.progress.generation
        return KeyedHash(
            of: "\(authorization.id) \(generation)".utf8, purpose: "alipay-plus-own-\(use)", key: context.configuration.keys.hashing
        ).text
    }

    /// What it is found by.
    private func hash(_ secret: String, _ use: String) -> KeyedHash { context.hash(secret, purpose: "alipay-plus-\(use)") }

    static func accessHash(_ token: String, _ context: AlipayPlusServerContext) -> KeyedHash {
        context.hash(token, purpose: "alipay-plus-access")
    }

    private func seal(_ secret: String, as use: String, of authorization: Authorization) throws -> [UInt8] {
        var generator = SourcedGenerator(source: context.identifiers)
        return try context.configuration.keys.sealer.seal(Array(secret.utf8), context: authorization.sealing(use), using: &generator)
    }

    private func open(_ sealed: [UInt8], as use: String, of authorization: Authorization) throws -> String {
        String(decoding: try context.configuration.keys.sealer.open(sealed, context: authorization.sealing(use)), as: UTF8.self)
    }

    /// The wallet's token that a debit is collected with.
    static func walletToken(
        of id: TimeOrderedID, acquirer: MerchantID, sealed frozen: [UInt8]?, _ context: AlipayPlusServerContext
    ) async throws -> Secret<String>? {
        guard let found = try await context.database.lookup({ try AuthorizationRecords.find(id, acquirer: acquirer, in: $0) }),
            let sealed = frozen ?? found.progress.sealedAccess
        else { return nil }
        let bytes = try context.configuration.keys.sealer.open(sealed, context: found.sealing("access"))
        return Secret(String(decoding: bytes, as: UTF8.self))
    }
}

extension KeyedHash {
    /// Lower-case hexadecimal.
    fileprivate var text: String { Hexadecimal.encode(bytes) }
}
