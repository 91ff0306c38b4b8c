import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// Delivers networks' one-time codes to customers. The network makes and checks the code; here it is passed on and kept nowhere.
struct CodeService: Sendable {
    /// The operation of its idempotency keys. A code whose key is forgotten has ended long before.
    static let operation = "POST /network/v1/codes"

    let context: TokenContext

    /// `POST /network/v1/codes`.
    struct Request: Sendable {
        var id: String
        var token: String
        var method: String
        var code: Secret<String>
        /// The network's; it differs from one to the next (provisioning.md#one-time-codes).
        var expiresAt: Timestamp

        /// The code counts by a keyed hash: a plain one of so few characters gives them away.
        func fingerprint(key: HashingKey) -> RequestFingerprint {
            RequestFingerprint(
                parts: [
                    Array(token.utf8), Array(method.utf8), Array(String(expiresAt.microseconds).utf8),
                    KeyedHash(of: code.reveal().utf8, purpose: "one-time-code", key: key).bytes,
                ])
        }
    }

    private struct Order: Sendable {
        var customer: String
        var card: String
        var suffix: String
        var method: VerificationMethod
    }

    /// Returns once the processor has taken the code over. A repeated request id delivers once.
    func deliver(_ request: Request, from network: CardScheme) async throws {
        let now = context.now()
        guard request.expiresAt > now else {
            throw ProvisioningError(code: .codeExpired, reason: "the code's time is over")
        }
        let key = try IdempotencyKey(caller: "network:\(network.rawValue)", operation: Self.operation, key: request.id)
        let message = context.host.identifiers.next(at: now)
        let fingerprint = fingerprint(of: request)
        let order: Order? = try await context.database.writeRepeatably { tx in
            switch try IdempotencyRecords.begin(key, fingerprint: fingerprint, subject: message, at: now, in: tx) {
            case .finished: return nil
            case .conflict: throw ProvisioningError(code: .requestReused, reason: "this request id was used for another request")
            // Somebody began and may have ended with the delivery unstored: the processor drops a second copy.
            case .running: return try self.order(request, network, in: tx)
            case .unseen: break
            }
            let order = try self.order(request, network, in: tx)
            try reserve(request, network, card: order.card, at: now, in: tx)
            try MessageRecords.insert(
                StoredMessage(
                    id: message, card: order.card, channel: order.method.type.channel, contact: order.method.value,
                    subject: "one-time code",
                    state: .queued, at: now), in: tx)
            return order
        }
        guard let order else { return }
        try await send(request, order: order, under: key, from: network, at: now)
    }

    /// Codes of one token are bounded, and those of its card: each code is worth three guesses, and a new device makes a new token.
    private func reserve(
        _ request: Request, _ network: CardScheme, card: String, at now: Timestamp, in tx: any Transaction
    ) throws {
        let limits = context.configuration
        // In the order in which decisions take these turns.
        try TokenRecords.takeTurn("card:\(card)", in: tx)
        try TokenRecords.takeTurn("token:\(request.token)", in: tx)
        let since = now.advanced(by: .zero - limits.codeWindow)
        guard try CodeSendRecords.count(token: request.token, since: since, in: tx) < limits.codesPerToken else {
            throw ProvisioningError(code: .codeResendLimit, reason: "no more codes are sent for this token for now")
        }
        let day = now.advanced(by: .zero - limits.cardCodeWindow)
        guard try CodeSendRecords.count(card: card, since: day, in: tx) < limits.codesPerCard else {
            throw ProvisioningError(code: .codeCardLimit, reason: "no more codes are sent for this card for now")
        }
        try CodeSendRecords.insert(
            network: network, requestID: request.id, token: request.token, method: request.method, at: now, in: tx)
    }

    private func send(
        _ request: Request, order: Order, under key: IdempotencyKey, from network: CardScheme, at now: Timestamp
    ) async throws {
        let minutes = max(1, (request.expiresAt.microseconds - now.microseconds) / 60_000_000)
        let text = Secret(
            "\(request.code.reveal()) is your code to add the card ending in \(order.suffix) to your device. It is good for "
                + "\(minutes) minute\(minutes == 1 ? "" : "s"). Nobody from the bank will ask you for it.")
        do throws(MessageFailure) {
            try await context.send(
                CustomerMessage(
                    id: "code-\(network.rawValue)-\(request.id)", customer: order.customer, contact: order.method.identifier, text: text),
                "one-time code", about: ["provisioning.token": request.token])
        } catch {
            let failure = error
            if !failure.mayHaveArrived {
                // Certainly not sent: it does not count, and the same id may try again.
                try await context.database.writeRepeatably { tx in
                    try settle(key, of: request, as: .failed, in: tx)
                    try CodeSendRecords.remove(network: network, requestID: request.id, in: tx)
                    try IdempotencyRecords.release(key, in: tx)
                }
            }
            throw ProvisioningError(code: .codeNotDelivered, reason: "the code could not be delivered; ask again under the same id")
        }
        try await context.database.writeRepeatably { tx in
            try settle(key, of: request, as: .delivered, in: tx)
            try IdempotencyRecords.finish(key, result: [], in: tx)
        }
    }

    private func fingerprint(of request: Request) -> RequestFingerprint {
        request.fingerprint(key: context.host.configuration.keys.hashing)
    }

    private func settle(_ key: IdempotencyKey, of request: Request, as state: StoredMessage.State, in tx: any Transaction) throws {
        guard case .running(let message?) = try IdempotencyRecords.find(key, fingerprint: fingerprint(of: request), in: tx) else { return }
        try MessageRecords.settle(message, state, in: tx)
    }

    /// Whom the code goes to, and how. Refuses what the decision about the token does not allow.
    private func order(_ request: Request, _ network: CardScheme, in tx: any Transaction) throws -> Order {
        guard let decision = try DecisionRecords.find(token: request.token, in: tx), decision.network == network, let id = decision.card,
            let card = try CardRecords.find(id, in: tx)
        else { throw ProvisioningError(code: .tokenNotFound, reason: "there is no such token here") }
        try decision.requireVerifiable(card, in: tx)
        let token = try TokenRecords.find(request.token, in: tx)
        guard token?.network ?? network == network, token?.card ?? id == id else {
            throw ProvisioningError(code: .tokenNotFound, reason: "there is no such token here")
        }
        switch token?.snapshot.state {
        // The network may not have told of it yet.
        case nil, .inactive: break
        case .active: throw ProvisioningError(code: .tokenActive, reason: "the token is active and waits for no proof")
        case .suspended: throw ProvisioningError(code: .tokenSuspended, reason: "the token is suspended and waits for no proof")
        case .deleted: throw ProvisioningError(code: .tokenDeleted, reason: "the token is deleted")
        }
        guard let contact = try context.host.vault.contacts(of: card).first(where: { $0.identifier == request.method }),
            let method = VerificationMethod(contact)
        else { throw ProvisioningError(code: .methodNotFound, reason: "the customer cannot be reached in that way") }
        return Order(customer: card.customer, card: card.id, suffix: card.suffix, method: method)
    }
}

extension StoredDecision {
    /// Refuses where a code or the bank's app must not decide: orange is a person's, red is final, and the card may have been blocked
    /// or switched off since.
    func requireVerifiable(_ card: StoredCard, in tx: any Transaction) throws {
        switch card.status {
        case .active: break
        case .blocked: throw ProvisioningError(code: .cardBlocked, reason: "this card is blocked, please call us")
        case .closed: throw ProvisioningError(code: .cardClosed, reason: "this card is closed")
        }
        guard try card.isSwitchedOn(in: tx) else {
            throw ProvisioningError(code: .switchedOff, reason: "this card cannot be added at the moment, please call us")
        }
        switch decision.colour {
        case .green, .yellow: return
        case .orange: throw ProvisioningError(code: .reviewRequired, reason: "please call us to add this card")
        case .red: throw ProvisioningError(code: .tokenDeclined, reason: "this card was not accepted on this device")
        }
    }
}

extension StoredCard {
    /// Whether the bank's remote switches of the card and of its programme are both on.
    func isSwitchedOn(in tx: any Transaction) throws -> Bool {
        try isEnabled && ProgrammeRecords.find(programme, in: tx)?.isOn ?? true
    }
}
