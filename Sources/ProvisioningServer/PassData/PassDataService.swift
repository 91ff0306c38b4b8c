import ApplePay
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Crypto
import Foundation
import Logging
import PaymentCrypto

/// Makes encrypted pass data for a customer's card (reference section 2, steps 5 to 7).
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

    init(context: ProvisioningContext, uptime: @escaping @Sendable () -> Duration) {
        self.context = context
        chains = BrokerChains(trust: context.configuration.trust)
        cardLimiter = RateLimiter(limit: context.configuration.cardRate, uptime: uptime)
        deviceLimiter = RateLimiter(limit: context.configuration.deviceRate, uptime: uptime)
    }

    /// What is asked for, and what the store knew of it when it was.
    struct Asked: Sendable {
        fileprivate var cardID: String
        fileprivate var request: PassDataRequest
        /// SHA-256 over nonce and signature.
        fileprivate var challenge: [UInt8]
        fileprivate var card: StoredCard?
        fileprivate var programmeIsOn: Bool
        fileprivate var earlier: (fingerprint: [UInt8], result: [UInt8])?
    }

    /// Reads what ``make(_:_:about:)`` has to know.
    static func look(for id: String, _ request: PassDataRequest, _ session: AppSession, in tx: any Transaction) throws -> Asked {
        let challenge = hash(request.challenge)
        let card = try CardRecords.find(id, in: tx).flatMap { $0.customer == session.customer ? $0 : nil }
        return Asked(
            cardID: id, request: request, challenge: challenge, card: card,
            programmeIsOn: try card.flatMap { try ProgrammeRecords.find($0.programme, in: tx) }?.isOn ?? true,
            earlier: try PassDataRecords.find(session: session.id, nonce: request.challenge.nonce, in: tx))
    }

    /// ``PassDataAnswer/json``.
    func make(_ asked: Asked, _ session: AppSession, about: [String: String]) async throws -> [UInt8] {
        try admit(asked.cardID, session)
        let request = asked.request
        let fingerprint = request.fingerprint(card: asked.cardID)
        guard let card = asked.card else { throw ProvisioningError(code: .cardNotFound, reason: "we do not know this card") }
        // A repetition too: what was sealed before the bank switched the card off is given out no more.
        if let refusal = CustomerCards.refusal(of: card, programmeIsOn: asked.programmeIsOn) { throw refusal }
        if let earlier = asked.earlier { return try Self.answer(earlier, fingerprint) }
        let programme = try context.programme(of: card)
        let now = context.clock.now()
        let sealer = try sealer(for: request, programme: programme, at: now, about: about)
        let (answer, code) = try await TimeBudget.within(context.configuration.passDataBudget) {
            try await seal(card, programme, request.challenge, sealer, at: now, about: about)
        }
        let row = PassDataRecords.Request(
            session: session.id, nonce: request.challenge.nonce, challenge: asked.challenge, fingerprint: fingerprint, card: card.id,
            authenticationCode: code, result: answer.json, at: now)
        return try await context.database.writeRepeatably { tx in
            if try PassDataRecords.insert(row, in: tx) { return row.result }
            // Another request with the challenge was quicker, and its answer is the one, unless it came in another session.
            guard let first = try PassDataRecords.find(session: session.id, nonce: row.nonce, in: tx) else { throw Self.mixed }
            return try Self.answer(first, fingerprint)
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

    private static func answer(
        _ stored: (fingerprint: [UInt8], result: [UInt8]), _ fingerprint: RequestFingerprint
    ) throws(ProvisioningError) -> [UInt8] {
        guard stored.fingerprint == fingerprint.bytes else {
            throw ProvisioningError(code: .nonceReused, reason: "this attempt was used already, please start again")
        }
        return stored.result
    }

    private static var mixed: ProvisioningError {
        ProvisioningError(code: .sessionMixed, reason: "this attempt belongs to another log-in, please start again")
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
        let report = chains.report(request.certificates, unreadable: request.unreadable, scheme: scheme, at: now.date)
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

    private func seal(
        _ card: StoredCard, _ programme: Programme, _ challenge: ProvisioningChallenge, _ sealer: any PassDataSealing, at now: Timestamp,
        about: [String: String]
    ) async throws -> (PassDataAnswer, KeyedHash?) {
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
            context.trace.note("pass data made", fields: fields, about: about)
            return (
                PassDataAnswer(
                    encryptedPassData: StrictBase64.encode(sealed.encryptedPassData),
                    activationData: inner.activationData.map { StrictBase64.encode($0) },
                    ephemeralPublicKey: sealed.ephemeralPublicKey.map { StrictBase64.encode($0) },
                    wrappedKey: sealed.wrappedKey.map { StrictBase64.encode($0) }),
                inner.authenticationCode.map { code in
                    code.text.withUnsafeBytes {
                        KeyedHash(of: $0, purpose: "authentication-code", key: context.configuration.keys.hashing)
                    }
                }
            )
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
