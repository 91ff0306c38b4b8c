import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Crypto
import Foundation
import Logging
import PaymentCrypto

/// Makes encrypted pass data for a customer's card (provisioning.md#sequence, steps 5 to 7).
///
/// Nothing is stored before the answer is whole: a process that dies in between leaves nothing, and the app's next try does all of it.
/// The answer is stored in one write before it is given, and every repetition gets it, as long as the card may still be added.
///
/// The rates of cards and devices are counted in this process alone: a counter in the store would cost each request a write. Of several
/// processes on one store each allows the whole rate, and a new start begins to count anew.
struct PassDataService: Sendable {
    let context: ProvisioningContext
    private let chains: BrokerChains
    private let cardLimiter: RateLimiter
    private let deviceLimiter: RateLimiter
    private let register: PassDataRegister

    init(context: ProvisioningContext, uptime: @escaping @Sendable () -> Duration) {
        self.context = context
        register = PassDataRegister(cards: context.cards)
        chains = BrokerChains(trust: context.configuration.trust)
        cardLimiter = RateLimiter(limit: context.configuration.cardRate, uptime: uptime)
        deviceLimiter = RateLimiter(limit: context.configuration.deviceRate, uptime: uptime)
    }

    /// ``PassDataAnswer/json``.
    ///
    /// The card is first taken as it is remembered. What is made of it is given only where the store, as it takes the answer, still has the
    /// card so; a failure of any kind, and a card that changed, are reasons to read what is stored.
    func make(_ request: PassDataRequest, card id: String, _ session: AppSession, about: [String: String]) async throws -> [UInt8] {
        try admit(id, session)
        let asked = Asked(request, card: id, session: session, until: .now + context.configuration.passDataBudget)
        var failed: (card: StoredCard, error: any Error)?
        if let card = register.remembered(asked.card, for: session, nonce: asked.nonce) {
            do {
                if let answer = try await attempt(asked, card, about: about) { return answer }
            } catch {
                failed = (card, error)
            }
        }
        for _ in 0..<3 {
            let (card, earlier) = try await register.read(asked.card, for: session, nonce: asked.nonce)
            if let earlier { return try asked.answer(earlier) }
            if let failed, failed.card.sealed == card.sealed { throw failed.error }
            if let answer = try await attempt(asked, card, about: about) { return answer }
        }
        throw ProvisioningError(code: .timedOut, reason: "the card is being changed, please try again")
    }

    /// A request, whose it is, and how long it may take in all.
    private struct Asked: Sendable {
        var request: PassDataRequest
        var card: String
        var session: AppSession
        var end: ContinuousClock.Instant
        var fingerprint: RequestFingerprint

        init(_ request: PassDataRequest, card: String, session: AppSession, until end: ContinuousClock.Instant) {
            (self.request, self.card, self.session, self.end) = (request, card, session, end)
            fingerprint = request.fingerprint(card: card)
        }

        var nonce: [UInt8] { request.challenge.nonce }

        /// What the session's nonce was answered with before, or `nonce-reused`.
        func answer(_ earlier: PassDataRecords.Earlier) throws(ProvisioningError) -> [UInt8] {
            guard earlier.fingerprint == fingerprint.bytes else {
                throw ProvisioningError(code: .nonceReused, reason: "this attempt was used already, please start again")
            }
            return earlier.result
        }
    }

    /// What became of an answer in the store.
    private enum Stored: Sendable {
        case new
        /// The nonce was answered before.
        case earlier(PassDataRecords.Earlier)
        /// Another session had the challenge.
        case mixed
        /// The card may not be added now, or is not as it was.
        case outdated
    }

    /// Makes an answer for a card and stores it; `nil` where the card changed before that.
    private func attempt(_ asked: Asked, _ card: StoredCard, about: [String: String]) async throws -> [UInt8]? {
        let programme = try context.programme(of: card)
        let challenge = asked.request.challenge
        let now = context.clock.now()
        let sealer = try sealer(for: asked.request, programme: programme, at: now, about: about)
        let made = try await TimeBudget.until(asked.end) {
            try await seal(card, of: programme, for: challenge, with: sealer, at: now, about: about)
        }
        let row = PassDataRecords.Request(
            session: asked.session.id, nonce: asked.nonce, challenge: Self.hash(challenge), fingerprint: asked.fingerprint, card: card.id,
            authenticationCode: made.code, result: made.answer.json, at: now)
        // On READ COMMITTED a change that is committed between the two statements counts as one that came after the answer.
        let stored = try await context.database.writeRepeatably { tx -> Stored in
            guard try CardRecords.mayBeAdded(card, in: tx) else { return .outdated }
            if try PassDataRecords.insert(row, in: tx) { return .new }
            guard let first = try PassDataRecords.find(session: row.session, nonce: row.nonce, in: tx) else { return .mixed }
            // Its own, where the answer to a commit was lost.
            return first.result == row.result ? .new : .earlier(first)
        }
        switch stored {
        case .new:
            let fields = [TraceEntry.Field("card", card.id, meaning: "The bank's id of it.")] + made.fields
            context.trace.note("pass data made", fields: fields, about: about)
            return row.result
        case .earlier(let earlier):
            let answer = try asked.answer(earlier)
            context.trace.note("pass data not given: an earlier answer is", about: about)
            return answer
        case .mixed: throw ProvisioningError(code: .sessionMixed, reason: "this attempt belongs to another log-in, please start again")
        case .outdated:
            context.trace.note("pass data not given: the card was changed", about: about)
            return nil
        }
    }

    /// Refuses with `rate-limited` what comes too often, before any cryptography.
    private func admit(_ card: String, _ session: AppSession) throws(ProvisioningError) {
        let callers = [(cardLimiter, "\(session.customer)/\(card)"), (deviceLimiter, "\(session.customer)/\(session.device)")]
        for (limiter, name) in callers {
            guard case .admitted = limiter.admit(name) else {
                throw ProvisioningError(code: .rateLimited, reason: "too many attempts, please wait a moment")
            }
        }
    }

    private static func hash(_ challenge: ProvisioningChallenge) -> [UInt8] {
        Array(SHA256.hash(data: challenge.nonce + challenge.nonceSignature))
    }

    // MARK: Certificates

    /// Judges the certificates. The caller learns that they were refused; the trace and the log hold the report, rule by rule.
    private func sealer(
        for request: PassDataRequest, programme: Programme, at now: Timestamp, about: [String: String]
    ) throws -> any PassDataSealing {
        guard let scheme = EncryptionScheme(rawValue: programme.encryptionScheme) else {
            throw ProvisioningError(code: .configurationInvalid, reason: "the programme's encryption scheme is unknown")
        }
        let report = chains.report(request.certificates, scheme: scheme, at: now.date)
        do throws(ApplePayError) {
            return try chains.sealer(of: report, scheme: scheme)
        } catch {
            let fields = report.rows.map { row in
                switch row.outcome {
                case .passed: TraceEntry.Field(row.code.description, "holds")
                case .refused(let reason): TraceEntry.Field(row.code.description, "refused: \(reason)")
                default: TraceEntry.Field(row.code.description, "not reached")
                }
            }
            context.trace.note("certificates refused", fields: fields, about: about, problem: "\(error.code): \(error.reason)")
            context.logger.warning(
                "the wallet's certificates were refused",
                metadata: [
                    "rules": "\(report.refusals.map(\.description).joined(separator: ","))", "reason": "\(error.reason)",
                    "trust": "\(report.trust)",
                ])
            throw ProvisioningError(code: .chainRefused, reason: "this card could not be added, please try again later")
        }
    }

    // MARK: Sealing

    /// An answer before it is stored.
    private struct Made: Sendable {
        var answer: PassDataAnswer
        /// Of the one-time code in the activation data.
        var code: KeyedHash?
        /// For the trace.
        var fields: [TraceEntry.Field]
    }

    private func seal(
        _ card: StoredCard, of programme: Programme, for challenge: ProvisioningChallenge, with sealer: any PassDataSealing,
        at now: Timestamp,
        about: [String: String]
    ) async throws -> Made {
        var generator = SourcedGenerator(source: context.identifiers)
        do {
            let inner = try await maker(for: card.network).make(
                PassDataCard(card, context.vault.account(of: card)), challenge, form: programme.payload, at: now.date, using: &generator)
            let sealed = try sealer.seal(inner.passData.json(), using: &generator)
            var fields: [TraceEntry.Field] = [
                .init("network", card.network.rawValue), .init("card", "•••• \(card.suffix)"), .init("scheme", programme.encryptionScheme),
                .init("encryptedPassData", "\(sealed.encryptedPassData.count) bytes"),
            ]
            if let key = inner.key {
                fields.append(.init("key", key.description, meaning: "The network's name for the key that was used."))
            }
            if !sealed.scheme.isConfirmed || inner.key == nil {
                fields.append(.init("unconfirmed", "this network's form is in no public material"))
            }
            return Made(
                answer: PassDataAnswer(
                    encryptedPassData: StrictBase64.encode(sealed.encryptedPassData),
                    activationData: inner.activationData.map { StrictBase64.encode($0) },
                    ephemeralPublicKey: sealed.ephemeralPublicKey.map { StrictBase64.encode($0) },
                    wrappedKey: sealed.wrappedKey.map { StrictBase64.encode($0) }),
                code: inner.authenticationCode.map { code in
                    code.text.withUnsafeBytes {
                        KeyedHash(of: $0, purpose: "authentication-code", key: context.configuration.keys.hashing)
                    }
                }, fields: fields)
        } catch let error as ProvisioningError {
            throw error
        } catch {
            // Neither error says a digit of the card: both libraries promise it.
            let problem = (error as? ApplePayError)?.description ?? (error as? PaymentCryptoError)?.description ?? "internal"
            context.trace.note("pass data not made", about: about, problem: problem)
            context.logger.error("pass data could not be made", metadata: ["error": "\(problem)", "network": "\(card.network.rawValue)"])
            throw ProvisioningError(code: .keysUnavailable, reason: "this card could not be added, please try again later")
        }
    }

    private func maker(for network: CardScheme) -> any InnerLayerMaker {
        let keys = context.networkKeys.current
        return switch network {
        case .visa: VisaInnerLayer(keys: keys.visa)
        case .mastercard: MastercardInnerLayer(keys: keys.mastercard)
        case .unionPay: UnconfirmedInnerLayer()
        }
    }
}
