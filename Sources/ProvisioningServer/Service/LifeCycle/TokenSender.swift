import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging
import Metrics
import PaymentCrypto

/// Delivers what the outbox holds about tokens: actions and new numbers to networks, messages to customers.
package struct TokenSender: OutboxSender {
    enum Kind: String, Sendable, CaseIterable {
        case tokenAction = "token-action"
        case replacement = "account-replacement"
        case customerMessage = "customer-message"

        /// A network that is away for a day hears of it all the same; a message that is a day old helps nobody.
        var schedule: RetrySchedule {
            switch self {
            case .tokenAction, .replacement: .exponential(base: .seconds(1), cap: .seconds(900), attempts: 200)
            case .customerMessage: .exponential(base: .seconds(1), cap: .seconds(300), attempts: 20)
            }
        }
    }

    let context: TokenContext

    private var queue: ActionQueue { ActionQueue(context: context) }
    private var connection: NetworkConnection { NetworkConnection(context: context) }

    package func deliver(_ claim: OutboxClaim) async -> Delivery {
        let message = claim.message
        // Another process, of a newer version, may know what this one does not.
        guard let kind = Kind(rawValue: message.kind) else { return Delivery(.retry(after: .seconds(60)), note: "no such kind here") }
        do {
            switch kind {
            case .tokenAction: return try await act(claim)
            case .replacement: return try await replace(claim)
            case .customerMessage: return try await tell(message)
            }
        } catch {
            context.host.logger.error(
                "an outbox row cannot be sent", metadata: ["row": "\(message.id)", "error": "\(ErrorMapping.logDescription(of: error))"])
            return Delivery(.retry(after: nil), note: "our fault: \(type(of: error))")
        }
    }

    private struct ActionBody: Encodable {
        var requestId: String
        var action: ProvisioningAction
        var reason: ProvisioningActionReason
    }

    private func act(_ claim: OutboxClaim) async throws -> Delivery {
        guard let action = try await waiting(claim.message), let token = action.token, let kind = action.action else {
            return Delivery(.delivered, note: "not sent: the action is settled")
        }
        let began = context.now()
        let heard = try await connection.post(
            "tokens/\(token)/actions", ActionBody(requestId: action.id.description, action: kind, reason: action.reason),
            to: action.network, title: "token \(kind.rawValue)", about: ["provisioning.token": token])
        return delivery(of: heard, claim, began: began, action) { body throws(ProvisioningError) in
            let told = try ToldToken(answer: RequestReader(body, allowing: ToldToken.answerMembers))
            guard ExactText.equal(told.reference, token) else { throw RequestReader.malformed("tokenReference", "is another token's") }
            return [told]
        }
    }

    private struct ReplacementBody: Encodable {
        var requestId: String
        var encryptedAccount: String
    }

    /// Seals the number for the network when it is sent, so that the outbox never holds it.
    private func replace(_ claim: OutboxClaim) async throws -> Delivery {
        guard let action = try await waiting(claim.message), let id = action.card,
            let card = try await context.database.lookup({ tx in try CardRecords.find(id, in: tx) })
        else { return Delivery(.delivered, note: "not sent: the action is settled, or its card is gone") }
        guard let key = await connection.accountKey(of: action.network) else {
            return Delivery(.retry(after: nil), note: "the network's key cannot be had")
        }
        let body = ReplacementBody(
            requestId: action.id.description, encryptedAccount: try NetworkAccount(context.host.vault.account(of: card)).sealed(for: key))
        let began = context.now()
        let heard = try await connection.post(
            "accounts/\(action.primaryAccountIdentifier)/replacement", body, to: action.network, title: "account replacement",
            about: ["provisioning.card": card.id])
        return delivery(of: heard, claim, began: began, action) { body throws(ProvisioningError) in
            try RequestReader(body, allowing: ["tokens"]).toldTokens()
        }
    }

    private func waiting(_ message: OutboxMessage) async throws -> StoredAction? {
        let action = try await context.database.lookup { tx in try ActionRecords.find(message.subject, in: tx) }
        return action?.state == .waiting ? action : nil
    }

    /// What the network's answer means for the action, and for the tokens that it tells of. The attempt is kept as evidence.
    private func delivery(
        of heard: NetworkConnection.Heard, _ claim: OutboxClaim, began: Timestamp, _ action: StoredAction,
        told: ([UInt8]) throws(ProvisioningError) -> [ToldToken]
    ) -> Delivery {
        let (context, queue, now) = (context, queue, context.now())
        var delivery: Delivery
        var reason = heard.reason
        switch heard.answer {
        case .silent(let reason): delivery = Delivery(.retry(after: nil), note: reason)
        case .refused(let reason):
            delivery = Delivery(.delivered, note: reason) { tx in
                try queue.settle(action, .refused, outcome: reason, at: now, in: tx)
                alarm(action, state: .refused, reason: reason)
            }
        case .accepted(let body):
            do throws(ProvisioningError) {
                let tokens = try told(body)
                delivery = Delivery(.delivered, note: "done") { tx in
                    for token in tokens { _ = try TokenIntake(context: context).take(token, from: action.network, at: now, in: tx) }
                    try queue.settle(action, .done, outcome: tokens.map(\.snapshot.state.rawValue).joined(separator: " "), at: now, in: tx)
                }
            } catch {
                reason = .wrongAnswer
                delivery = Delivery(.retry(after: nil), note: "the answer cannot be read: \(error.reason)")
            }
        }
        let attempt = DeliveryRecords.Attempt(
            number: claim.attempt, at: now, status: heard.status, reply: heard.reply,
            note: reason == nil ? "" : String(delivery.note.prefix(300)),
            took: .microseconds(max(0, now.microseconds - began.microseconds)), reason: reason)
        let (id, owner, settle) = (action.id, claim.message.merchant, delivery.record)
        delivery.record = { tx in
            try ActionRecords.deliveries.note(attempt, of: id, owner: owner, in: tx)
            try settle?(tx)
        }
        delivery.givenUp = { tx in
            try queue.settle(action, .givenUp, outcome: "the network did not answer", at: context.now(), in: tx)
            alarm(action, state: .givenUp, reason: "the network did not answer")
        }
        return delivery
    }

    /// A token goes on paying although the bank wanted it stopped: somebody has to look.
    private func alarm(_ action: StoredAction, state: StoredAction.State, reason: String) {
        guard let kind = action.action, kind == .suspend || kind == .delete else { return }
        Counter(
            label: "provisioning_stops_failed_total", dimensions: [("action", kind.rawValue), ("outcome", state.rawValue)],
            factory: context.host.metrics
        ).increment()
        context.host.logger.critical(
            "a network did not stop a token",
            metadata: [
                "action": "\(kind.rawValue)", "outcome": "\(state.rawValue)", "reason": "\(reason)", "token": "\(action.token ?? "")",
            ])
    }

    private func tell(_ message: OutboxMessage) async throws -> Delivery {
        let order = try JSONDocument.decode(TokenMessages.Order.self, message.body)
        let id = message.id
        let card = try await context.database.lookup { tx in try CardRecords.find(order.card, in: tx) }
        var refusal: String?
        if let card, let pusher = context.configuration.pusher {
            switch await push(order, id, to: card, by: pusher) {
            case .settled(let delivery): return delivery
            case .otherWay(let reason): refusal = reason
            }
        }
        func note(_ text: String) -> String { [refusal, text].compactMap(\.self).joined(separator: "; ") }
        let isPushed = context.configuration.pusher != nil
        guard let card, let contact = Self.preferred(try context.host.vault.contacts(of: card), afterPush: isPushed),
            let method = VerificationMethod(contact)
        else {
            guard let refusal else {
                return Delivery(.delivered, note: "not sent: the customer has no contact") { tx in
                    try MessageRecords.settle(id, .failed, in: tx)
                }
            }
            var delivery = Delivery(.park, note: refusal)
            delivery.givenUp = { tx in try MessageRecords.settle(id, .failed, in: tx) }
            return delivery
        }
        do throws(MessageFailure) {
            try await context.send(
                CustomerMessage(id: id.description, customer: card.customer, contact: contact.identifier, text: Secret(order.text)),
                "message", about: Self.story(of: order))
        } catch {
            var delivery = Delivery(error.isTransient ? .retry(after: nil) : .park, note: note(error.reason))
            delivery.givenUp = { tx in try MessageRecords.settle(id, .failed, in: tx) }
            return delivery
        }
        return Delivery(.delivered, note: note(method.type.channel)) { tx in
            try MessageRecords.settle(id, .delivered, channel: method.type.channel, contact: method.value, in: tx)
        }
    }

    private static func story(of order: TokenMessages.Order) -> [String: String] {
        order.token.map { ["provisioning.token": $0] } ?? ["provisioning.card": order.card]
    }

    /// How a push ended.
    private enum Pushed {
        case settled(Delivery)
        /// The customer has no device with the bank's app, or the push was refused for good, and why: another way is taken.
        case otherWay(String?)
    }

    private func push(
        _ order: TokenMessages.Order, _ id: TimeOrderedID, to card: StoredCard, by pusher: any CustomerPusher
    ) async -> Pushed {
        do throws(MessageFailure) {
            let outcome = try await context.push(
                CustomerPush(
                    id: id.description, customer: card.customer, card: card.id, language: order.language ?? "en",
                    subject: order.subject ?? "", text: order.text),
                by: pusher, about: Self.story(of: order))
            guard outcome == .taken else { return .otherWay(nil) }
        } catch {
            guard error.isTransient else {
                context.host.logger.error("a push was refused for good", metadata: ["message": "\(id)", "reason": "\(error.reason)"])
                return .otherWay(error.reason)
            }
            var delivery = Delivery(.retry(after: nil), note: error.reason)
            delivery.givenUp = { tx in try MessageRecords.settle(id, .failed, in: tx) }
            return .settled(delivery)
        }
        let channel = VerificationMethod.Kind.app.channel
        return .settled(
            Delivery(.delivered, note: "pushed") { tx in
                try MessageRecords.settle(id, .delivered, channel: channel, in: tx)
            })
    }

    /// The bank's app where the customer has it, then a text message, then an e-mail. Nobody is called about news. Where the app could not
    /// be reached by a push, it comes last.
    private static func preferred(_ contacts: [CardSecrets.Contact], afterPush isPushed: Bool) -> CardSecrets.Contact? {
        let kinds: [VerificationMethod.Kind] = isPushed ? [.text, .email, .app] : [.app, .text, .email]
        for kind in kinds {
            if let contact = contacts.first(where: { $0.type == kind.rawValue }) { return contact }
        }
        return nil
    }
}

extension RequestReader {
    /// The tokens of `{"tokens":[…]}`.
    func toldTokens() throws(ProvisioningError) -> [ToldToken] {
        var tokens: [ToldToken] = []
        for token in try objects("tokens", maximum: 100_000, allowing: ToldToken.answerMembers) {
            tokens.append(try ToldToken(answer: token))
        }
        return tokens
    }
}
