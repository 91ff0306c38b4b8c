import ApplePay
package import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import PaymentCrypto

/// What the card-payments API does, without HTTP. Each operation is one write, then a message, then another write.
package struct CardPaymentsService: Sendable {
    let context: ServiceContext
    let verifier: TokenVerifier
    let sender: AcquirerSender
    let orderLimiter: RateLimiter
    /// Questions to the acquirer about one intent of which the store knows nothing.
    let queryLimiter: RateLimiter
    /// Questions to the acquirer because an app has brought a result.
    let resultLimiter: RateLimiter

    // MARK: Credentials

    private var apiKeys: APIKeyRegister {
        APIKeyRegister(database: context.database, hashing: context.configuration.keys.hashing, clock: context.clock)
    }

    /// Makes an API key usable. Only its keyed hash is stored.
    package func register(apiKey: Secret<String>, merchant: BillfoldPayments.MerchantID, label: String) async throws {
        guard context.merchant(merchant) != nil else {
            throw CardPaymentsError(code: .configurationInvalid, reason: "no such merchant is configured")
        }
        try await apiKeys.add(apiKey, merchant: merchant, label: label)
    }

    /// Ends an API key. Returns false when it was not in use.
    package func revoke(apiKey: Secret<String>) async throws -> Bool { try await apiKeys.revoke(apiKey) }

    /// Has the merchants who registered while the sandbox ran stand in lists again, and returns their numbers at the acquirer.
    package func recallOwnMerchants() async throws -> [String] {
        let known = try await context.database.read { try CardPaymentsRecords.merchantsWithKeys(in: $0) }
        let own = known.filter { OwnMerchant.acquirerID(of: $0) != nil }
        for id in own { context.merchants.know(id) }
        return own.compactMap(OwnMerchant.number(of:))
    }

    /// Exchanges a merchant's keys and pages from the next request on. Refuses another identity with `configuration-invalid`.
    package func replace(_ merchant: MerchantProfile) throws(CardPaymentsError) { try context.merchants.replace(merchant) }

    /// What an operation asks for. Why a credential is not taken is the same sentence for all that were tried.
    enum Credential: String, Sendable {
        case apiKey = "the merchant's API key, and no client secret"
        case clientSecret = "the order's own clientSecret (cs_…, in the answer to POST /v1/orders), and no API key"
        case either = "the merchant's API key, or the order's own clientSecret (cs_…)"
    }

    /// What was shown in its place. Only who shows an ended key whole is told that it was one.
    enum Shown: String, Sendable {
        case nothing = "the request shows no credential, as 'Authorization: Bearer …'"
        case clientSecret = "an order's clientSecret is shown"
        case apiKey = "what is shown is no clientSecret"
        case otherSecret = "this clientSecret is not that of this order"
        case endedKey = "this API key was ended: a newer one took its place, or somebody ended its label"
        case unknownKey = "no such API key is known here: it is not the registered one"
        case unservedMerchant = "this API key is of a merchant that is not served here"
    }

    static func unauthorized(_ wanted: Credential, _ shown: Shown) -> CardPaymentsError {
        CardPaymentsError(code: .unauthorized, reason: "\(shown.rawValue); the bearer here is \(wanted.rawValue)")
    }

    /// The merchant that an API key belongs to.
    func merchant(bearer: String?) async throws -> MerchantProfile {
        guard let bearer else { throw Self.unauthorized(.apiKey, .nothing) }
        guard !bearer.hasPrefix("cs_") else { throw Self.unauthorized(.apiKey, .clientSecret) }
        guard let holder = try await apiKeys.merchant(of: bearer) else {
            throw Self.unauthorized(.apiKey, try await apiKeys.hasEnded(bearer) ? .endedKey : .unknownKey)
        }
        guard let profile = context.merchant(holder) else { throw Self.unauthorized(.apiKey, .unservedMerchant) }
        context.merchants.know(profile.id)
        OwnTime.enter(profile.id.description)
        return profile
    }

    /// The order and its merchant, for the merchant by API key, or for whoever holds the order's client secret.
    func order(_ id: String, bearer: String?) async throws -> (Order, MerchantProfile) {
        guard let bearer else { throw Self.unauthorized(.either, .nothing) }
        if bearer.hasPrefix("cs_") { return try await order(id, clientSecret: bearer) }
        let profile = try await merchant(bearer: bearer)
        let orderID = try? TimeOrderedID(text: id)
        guard let orderID, let order = try await context.database.lookup({ try OrderRecords.find(orderID, merchant: profile.id, in: $0) })
        else { throw try await missing(id, as: .order, merchant: profile) }
        return (order, profile)
    }

    /// The order and its merchant, for whoever holds the order's client secret: the phone.
    func order(_ id: String, clientSecret bearer: String?) async throws -> (Order, MerchantProfile) {
        // The secret names its merchant, the shard to look in. A wrong secret and a wrong order are one answer.
        guard let bearer else { throw Self.unauthorized(.clientSecret, .nothing) }
        guard bearer.hasPrefix("cs_") else { throw Self.unauthorized(.clientSecret, .apiKey) }
        guard let end = bearer.utf8.lastIndex(of: UInt8(ascii: ".")),
            let merchantID = try? MerchantID(String(Substring(bearer.utf8[..<end].dropFirst(3)))),
            let profile = context.merchant(merchantID), let orderID = try? TimeOrderedID(text: id)
        else { throw Self.unauthorized(.clientSecret, .otherSecret) }
        let found = try await context.database.lookup { tx in try OrderRecords.find(orderID, merchant: merchantID, in: tx) }
        // The secret is made of the order's id, so it proves an order whose row is lost.
        let secret = found?.clientSecret ?? hash(clientSecret(orderID, merchant: merchantID), "client-secret")
        guard secret.matches(hash(bearer, "client-secret")) else { throw Self.unauthorized(.clientSecret, .otherSecret) }
        OwnTime.enter(merchantID.description)
        guard let found else { throw CardPaymentsError.lost("order") }
        return (found, profile)
    }

    func hash(_ text: String, _ purpose: String) -> KeyedHash {
        KeyedHash(of: Array(text.utf8), purpose: purpose, key: context.configuration.keys.hashing)
    }

    // MARK: Orders

    /// Makes an order, or finds the one that the same request has made.
    ///
    /// - Parameters:
    ///   - request: What is to be paid for.
    ///   - body: The request's bytes: another request under the same key is noticed by them.
    ///   - key: The caller's name for the request.
    ///   - merchant: Who asks.
    ///   - answer: Makes the answer about a new order, without its secret. It is stored with the order.
    func createOrder(
        _ request: OrderRequest, body: [UInt8], key: String, merchant: MerchantProfile, answer: (Order) throws -> [UInt8]
    ) async throws -> MadeOrder {
        let idempotency = try IdempotencyKey(caller: merchant.id.description, operation: Self.orderOperation, key: key)
        let keyed = RequestFingerprint(parts: [Array(Self.orderOperation.utf8), body])
        do {
            return try await make(request, under: idempotency, keyed, merchant: merchant, answer: answer)
        } catch let error as CardPaymentsError where error.code == .currencyNotSettled {
            // The merchant's currencies may have changed since the same request was taken.
            let known = try await context.database.lookup { try IdempotencyRecords.find(idempotency, fingerprint: keyed, in: $0) }
            guard let known else { throw error }
            return try await made(known, merchant: merchant.id)
        }
    }

    private func make(
        _ request: OrderRequest, under idempotency: IdempotencyKey, _ fingerprint: RequestFingerprint, merchant: MerchantProfile,
        answer: (Order) throws -> [UInt8]
    ) async throws -> MadeOrder {
        // What the acquirer pays out in another currency than the books' could never be compared with them.
        guard merchant.settledCurrencies.contains(request.definition.currency) else {
            throw CardPaymentsError(
                code: .currencyNotSettled,
                reason: "the acquirer does not settle \(request.definition.currency) with this merchant")
        }
        let now = context.clock.now()
        let pricing = OrderPricing(order: request.definition, rounding: context.configuration.rounding)
        try pricing.validate(at: now.date)
        let quote = try pricing.quote(OrderPricing.Choice(), at: now.date)
        let id = context.issued.next(at: now, for: merchant.id)
        // The secret is derived from the order's id, so that a repeated request can be answered without storing it.
        let secret = clientSecret(id, merchant: merchant.id)
        let order = Order(
            merchant: merchant.id, id: id, reference: request.reference, amount: quote.total,
            expiresAt: now.advanced(by: context.configuration.orderLifetime), clientSecret: hash(secret, "client-secret"),
            applicationData: id.bytes + nonce(of: id), detail: try JSONDocument.encode(request.definition),
            createdAt: now)
        return try await store(order, answer: answer(order), under: idempotency, fingerprint, at: now)
    }

    /// Stores an order, or finds the one that the same request has made. Once its key is forgotten, that one is known by its reference.
    private func store(
        _ order: Order, answer: [UInt8], under key: IdempotencyKey, _ fingerprint: RequestFingerprint, at now: Timestamp
    ) async throws -> MadeOrder {
        do {
            return try await take(key, fingerprint, for: order, answer: answer, at: now)
        } catch let error as PaymentsError where error.code == .referenceTaken {
            let earlier = try await context.database.lookup { tx in
                try OrderRecords.find(reference: order.reference, merchant: order.merchant, in: tx)
            }
            guard let earlier, earlier.createdAt < now.advanced(by: .zero - RetentionRule.keysKept), earlier.detail == order.detail else {
                throw error
            }
            return try await take(key, fingerprint, for: earlier, answer: nil, at: now)
        }
    }

    /// - Parameter answer: Of a new order; `nil` where the order is there, and its first answer is forgotten.
    private func take(
        _ key: IdempotencyKey, _ fingerprint: RequestFingerprint, for order: Order, answer: [UInt8]?, at now: Timestamp
    ) async throws -> MadeOrder {
        let keyed = KeyedRequest(key, fingerprint: fingerprint, subject: order.id, at: now)
        let kept = KeptAnswer(order.id, answer: answer)
        let decided = try await context.database.decideOnce(keyed, answering: kept.stored) { tx in
            if answer != nil { try OrderRecords.insert(order, in: tx) }
        }
        switch decided {
        case .now:
            let secret = clientSecret(order.id, merchant: order.merchant)
            return MadeOrder(order: order, clientSecret: secret, answer: answer, isReplayed: answer == nil)
        case .before(let outcome):
            var found = try await made(outcome, merchant: order.merchant)
            // Our own order: its write was done already, and its commit's answer was lost.
            if answer != nil, found.order.id == order.id { found.isReplayed = false }
            return found
        }
    }

    /// The order that the key's request has made.
    private func made(_ outcome: IdempotencyOutcome, merchant: MerchantID) async throws -> MadeOrder {
        if case .conflict = outcome { throw Self.idempotencyConflict }
        let earlier = try await context.database.lookup { tx in
            try outcome.object.flatMap { try OrderRecords.find($0, merchant: merchant, in: tx) }
        }
        guard let earlier else { throw CardPaymentsError(code: .orderNotFound, reason: "the order of this key is gone") }
        var answer: [UInt8]?
        if case .finished(let result) = outcome { answer = KeptAnswer(stored: result)?.answer }
        return MadeOrder(
            order: earlier, clientSecret: clientSecret(earlier.id, merchant: merchant), answer: answer, isReplayed: true)
    }

    /// The operations of idempotency keys that are forgotten in time.
    static let orderOperation = "POST /v1/orders"
    static let paymentOperation = "POST /v1/orders/{id}/payments"

    static var idempotencyConflict: CardPaymentsError {
        CardPaymentsError(code: .idempotencyConflict, reason: "this idempotency key was used for another request")
    }

    private func clientSecret(_ id: TimeOrderedID, merchant: MerchantID) -> String {
        let tag = KeyedHash(of: id.bytes, purpose: "client-secret-of-order", key: context.configuration.keys.hashing)
        return "cs_\(merchant).\(Hexadecimal.encode(tag.bytes))"
    }

    private func nonce(of id: TimeOrderedID) -> [UInt8] {
        KeyedHash(of: id.bytes, purpose: "application-data", key: context.configuration.keys.hashing).bytes
    }

    func payments(of order: Order) async throws -> [Payment] {
        try await context.database.read { tx in try PaymentRecords.find(order: order.id, merchant: order.merchant, in: tx) }
    }

    static func state(of order: Order, payments: [Payment], at now: Timestamp) -> String {
        let states = payments.map(\.state)
        if payments.contains(where: { !$0.standing.isToBeUndone && ($0.state == .succeeded || $0.state == .partlyRefunded) }) {
            return "paid"
        }
        // What is being taken back is not to be delivered, and not to be paid again either.
        if payments.contains(where: { !$0.state.isSettled || $0.standing.isToBeUndone }) { return "processing" }
        if states.contains(.refunded) { return "refunded" }
        if order.isClosed { return "closed" }
        return order.expiresAt <= now ? "expired" : "open"
    }
}
