import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import Logging
import PaymentCrypto

/// Answers networks that ask whether a card may become a token.
struct DecisionService: Sendable {
    /// The operation of its idempotency keys. They stay: nothing else holds an answer.
    static let operation = "POST /network/v1/decisions"

    let context: TokenContext

    struct Answer: Sendable, Codable {
        struct Method: Sendable, Codable {
            var identifier: String
            var type: String
            var value: String
        }

        var requestId: String
        var decision: String
        var colour: DecisionColour
        var reasons: [DecisionReason]
        var verificationMethods: [Method]
    }

    /// Decides once for each request id; every repetition gets the stored answer.
    ///
    /// - Parameter attempt: The attempt that a test names. Nothing is decided by it.
    func decide(_ request: DecisionRequest, attempt: String?) async throws -> Answer {
        let account = try NetworkAccount(sealed: request.encryptedAccount, keys: context.decisionKeys.current)
        let now = context.now()
        let hash = account.number.withUnsafeBytes { context.host.vault.hash(ofNumber: $0) }
        let fingerprint = try request.fingerprint(
            account: KeyedHash(of: hash.bytes + Array(account.expiration.utf8), purpose: "network-account", key: hashing),
            code: code(request))
        let key = try IdempotencyKey(
            caller: "network:\(request.network.rawValue)", operation: Self.operation, key: request.id)
        let keyed = KeyedRequest(key, fingerprint: fingerprint, at: now)
        if let known = try await refresh(account, hash, of: request.network, unless: keyed) { return try Self.answer(known) }
        let id = context.host.identifiers.next(at: now)
        let review = context.host.identifiers.next(at: now)
        let decided = try await context.database.decideOnce(keyed) { tx -> ([UInt8], Answer) in
            let (decision, answer) = try make(request, for: account, hash: hash, id: id, attempt: attempt, at: now, in: tx)
            if decision.decision.colour == .orange, decision.inputs.review != .waiting, let card = decision.card {
                let opened = StoredReview(
                    id: review, network: request.network, requestID: request.id, card: card, token: request.token, state: .waiting,
                    openedAt: now)
                try ReviewRecords.insert(opened, in: tx)
                try context.events.changed(opened, at: now, in: tx)
            }
            return (try JSONDocument.encode(answer), answer)
        }
        switch decided {
        case .now(let answer): return answer
        case .before(let outcome): return try Self.answer(outcome)
        }
    }

    private static func answer(_ outcome: IdempotencyOutcome) throws -> Answer {
        guard case .finished(let stored) = outcome else {
            throw ProvisioningError(code: .requestReused, reason: "this request id was used for another request")
        }
        return try JSONDocument.decode(Answer.self, stored)
    }

    /// Has the processor say how the card stands now: it may have been closed since the customer logged in last.
    ///
    /// A processor that does not answer in time leaves what is stored, where that is not older than what logs a customer in. An answer
    /// that cannot be read decides nothing: what is stored as active may be blocked there. Nobody is asked for a request that is known
    /// already, which is returned, nor within a transaction.
    ///
    /// A card that no session brought in is asked for by its number. There no answer decides nothing either: only the processor's own
    /// word says that a card is unknown (provisioning.md#card-events).
    private func refresh(
        _ account: NetworkAccount, _ hash: KeyedHash, of network: CardScheme, unless request: KeyedRequest
    ) async throws -> IdempotencyOutcome? {
        let (known, found) = try await context.database.lookup { tx -> (IdempotencyOutcome?, StoredCard?) in
            let known = try IdempotencyRecords.find(request.key, fingerprint: request.fingerprint, in: tx)
            return (known, known == nil ? try CardRecords.find(numberHash: hash, in: tx) : nil)
        }
        if let known { return known }
        guard let card = found else {
            try await bringIn(account, hash, of: network)
            return nil
        }
        do {
            try await CardImport(context: context.importing).run(
                customer: card.customer, until: .now + context.configuration.processorBudget)
        } catch let error as ProvisioningError where error.code == .processorUnavailable {
            let oldest = context.now().advanced(by: .zero - context.host.configuration.cardMemory)
            guard card.fetchedAt >= oldest else { throw error }
            context.host.logger.error(
                "a decision is made by what is stored of the card",
                metadata: ["card": "\(card.id)", "reason": "\(error.reason)"])
        }
        return nil
    }

    /// Brings in the cards of the customer whose card has a number, where the processor has such a card and the number is one of ours.
    ///
    /// The processor has its budget once, for both questions: a network waits for the answer.
    ///
    /// - Throws: `processor-unavailable`; `processor-answer` where the card is the processor's and cannot be taken over.
    private func bringIn(_ account: NetworkAccount, _ hash: KeyedHash, of network: CardScheme) async throws {
        let prefix = account.number.withUnsafeBytes { String(decoding: $0.prefix(8), as: UTF8.self) }
        guard context.host.programme(network: network, numberPrefix: prefix) != nil,
            let directory = context.host.cardSource as? any CardDirectory
        else { return }
        let end = ContinuousClock.now + context.configuration.processorBudget
        let customer: String?
        do {
            customer = try await TimeBudget.until(end) {
                try await directory.customer(ofCardNumbered: account.number)
            }
        } catch let error as ProvisioningError where error.code == .timedOut {
            throw ProvisioningError(code: .processorUnavailable, reason: "the processor did not answer in time")
        }
        guard let customer else { return }
        do {
            try await CardImport(context: context.importing).run(customer: customer, until: end)
        } catch let error as ProvisioningError where error.code == .customerNotFound {
            throw ProvisioningError(code: .processorAnswer, reason: "the processor names a customer whom it does not have")
        }
        guard try await context.database.lookup({ tx in try CardRecords.find(numberHash: hash, in: tx) }) != nil else {
            throw ProvisioningError(code: .processorAnswer, reason: "the processor's card of this number cannot be taken over")
        }
    }

    private func make(
        _ request: DecisionRequest, for account: NetworkAccount, hash: KeyedHash, id: TimeOrderedID, attempt: String?, at now: Timestamp,
        in tx: any Transaction
    ) throws -> (StoredDecision, Answer) {
        var card = try CardRecords.find(numberHash: hash, in: tx)
        var earlier: [Timestamp] = []
        if let found = card {
            // Limits are counted one request at a time; what was decided meanwhile counts.
            try TokenRecords.takeTurn("card:\(found.id)", in: tx)
            card = try CardRecords.find(found.id, in: tx)
            earlier = try DecisionRecords.provisionings(card: found.id, secureElement: request.device.secureElement, in: tx)
        }
        try bind(request, to: card, in: tx)
        let secrets = try card.map { try context.host.vault.open($0) }
        let inputs = DecisionInputs(
            network: request.network, tokenRequestor: request.tokenRequestor, device: request.device,
            recommendation: request.recommendation, otherReasons: request.otherReasons,
            activation: try activation(request, card, at: now, in: tx),
            card: try card.map { try known($0, request, expiryMatches: secrets?.expiration == account.expiration, at: now, in: tx) },
            earlierProvisionings: earlier, review: try ReviewRecords.gravest(token: request.token, in: tx),
            otherReviews: try card.map {
                try ReviewRecords.others(card: $0.id, besides: request.token, secureElement: request.device.secureElement, in: tx)
            } ?? [],
            isDeviceLost: try LostDeviceRecords.find(request.device.secureElement, in: tx) != nil, at: now)
        let decision = (card.map(context.policy) ?? context.configuration.defaultPolicy).decide(inputs)
        let stored = StoredDecision(
            network: request.network, requestID: request.id, id: id, card: card?.id, token: request.token,
            primaryAccountIdentifier: request.primaryAccountIdentifier, decision: decision, inputs: inputs, attempt: attempt)
        try DecisionRecords.insert(stored, in: tx)
        let methods = VerificationMethod.offered(for: decision.colour, contacts: secrets?.contacts ?? [])
        let answer = Answer(
            requestId: request.id, decision: decision.outcome.rawValue, colour: decision.colour, reasons: decision.reasons,
            verificationMethods: methods.map { .init(identifier: $0.identifier, type: $0.type.rawValue, value: $0.value) })
        return (stored, answer)
    }

    /// Keeps a token with the network and the card that were decided on first, so that no later request says anything of another's.
    private func bind(_ request: DecisionRequest, to card: StoredCard?, in tx: any Transaction) throws {
        try TokenRecords.takeTurn("token:\(request.token)", in: tx)
        let token = try TokenRecords.find(request.token, in: tx)
        let owners = [try DecisionRecords.owner(token: request.token, in: tx), token.map { ($0.network, $0.card) }].compactMap(\.self)
        guard owners.allSatisfy({ $0.network == request.network && ($0.card == nil || $0.card == card?.id) }) else {
            throw ProvisioningError(code: .tokenReferenceTaken, reason: "this token reference belongs to another card or network")
        }
    }

    private func known(
        _ card: StoredCard, _ request: DecisionRequest, expiryMatches: Bool, at now: Timestamp, in tx: any Transaction
    ) throws -> DecisionInputs.Card {
        DecisionInputs.Card(
            status: card.status, isEnabled: card.isEnabled,
            isProgrammeEnabled: try ProgrammeRecords.find(card.programme, in: tx)?.isOn ?? true, network: card.network,
            expiryMatches: expiryMatches,
            isOnAllowList: try AllowListRecords.contains(card: card.id, secureElement: request.device.secureElement, in: tx),
            otherTokens: try TokenRecords.count(card: card.id, outside: request.device.secureElement, in: tx)
                + DecisionRecords.countUntold(
                    card: card.id, outside: request.device.secureElement,
                    since: now.advanced(by: .zero - context.configuration.untoldLifetime), in: tx),
            numberVersion: card.numberVersion)
    }

    private func activation(
        _ request: DecisionRequest, _ card: StoredCard?, at now: Timestamp, in tx: any Transaction
    ) throws -> DecisionInputs.Activation {
        let told = request.activation
        var match = DecisionInputs.Activation.Code.none
        if let code = code(request) {
            let since = now.advanced(by: .zero - context.configuration.activationLifetime)
            match = .unknown
            if let card, try PassDataRecords.isIssued(authenticationCode: code, card: card.id, since: since, in: tx) {
                let isFirst = try UsedCodeRecords.use(
                    code, card: card.id, network: request.network, requestID: request.id, at: now, in: tx)
                match = isFirst ? .matching : .used
            }
        }
        return DecisionInputs.Activation(isPresent: told.isPresent, isValid: told.isValid, problem: told.problem, code: match)
    }

    private func code(_ request: DecisionRequest) -> KeyedHash? {
        request.activation.code.map { KeyedHash(of: $0.reveal().utf8, purpose: "authentication-code", key: hashing) }
    }

    private var hashing: HashingKey { context.host.configuration.keys.hashing }
}
