package import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// Carries one event to one endpoint. Only an answer of the class 2xx counts; a redirect does not, and nothing follows it.
package struct WebhookSender: OutboxSender {
    let context: EventContext

    package func deliver(_ claim: OutboxClaim) async -> Delivery {
        let message = claim.message
        do {
            let found = try await context.database.lookup { tx -> WebhookEndpoint? in
                guard let delivery = try WebhookDeliveryRecords.find(message.id, owner: message.merchant, in: tx) else { return nil }
                return try WebhookEndpointRecords.find(delivery.endpoint, owner: message.merchant, in: tx)
            }
            // Whoever removed or stopped it has taken back what waited; this one was just leaving.
            guard let endpoint = found, endpoint.stop == nil else { return Delivery(.delivered, note: "not sent: the endpoint is gone") }
            return await send(claim, to: endpoint)
        } catch {
            return Delivery(.notBegun(.ours, after: .seconds(5)), note: "the endpoint cannot be read: \(error)")
        }
    }

    private func send(_ claim: OutboxClaim, to endpoint: WebhookEndpoint) async -> Delivery {
        let message = claim.message
        let signature = WebhookSignature(hashing: context.configuration.hashing)
        let began = context.realClock.now()
        let request = OutgoingRequest(
            method: .post, url: endpoint.url,
            headers: signature.fields(
                of: Event.name(of: message.subject), body: message.body, to: endpoint, keys: endpoint.keys(at: context.clock.now()),
                at: began),
            body: message.body, destination: context.isOnThisMachine(endpoint.url) ? .configured : .namedByCounterparty,
            timeout: context.configuration.timeout, maximumAnswerBytes: DeliveryRecords.replyLimit)
        var outcome = Outcome(claim: claim, endpoint: endpoint, began: began)
        do throws(SendFailure) {
            let answer = try await context.http.send(request)
            outcome.status = answer.status
            outcome.reply = answer.body
            outcome.reason = answer.status.kind == .successful ? nil : .wrongStatus
            outcome.note = answer.status.kind == .successful ? "" : DeliveryRecords.complaint(aboutStatus: answer.status.code, due: "2xx")
            outcome.verdict =
                switch answer.status {
                case .gone: .park
                case _ where answer.status.kind == .successful: .delivered
                default: .retry(after: Self.wait(answer.headers[.retryAfter]))
                }
        } catch {
            outcome.verdict = Delivery.Verdict(after: error)
            outcome.reason = error.mayHaveArrived ? .noAnswer : .notSent
            outcome.note = "\(error.code): \(error.reason)"
            // An attempt that was not begun is no row among the attempts.
            if case .notBegun = outcome.verdict { return Delivery(outcome.verdict, note: outcome.note) }
        }
        return delivery(outcome)
    }

    private struct Outcome {
        var claim: OutboxClaim
        var endpoint: WebhookEndpoint
        var began: Timestamp
        var verdict = Delivery.Verdict.retry(after: nil)
        var status: HTTPResponse.Status?
        var reply: [UInt8] = []
        var reason: DeliveryRecords.Reason?
        var note = ""
    }

    /// Stores an attempt, and lets the next one go where this one has ended.
    private func delivery(_ outcome: Outcome) -> Delivery {
        let (id, owner, message) = (outcome.endpoint.id, outcome.endpoint.owner, outcome.claim.message)
        let took = Duration.microseconds(max(0, context.realClock.now().microseconds - outcome.began.microseconds))
        let now = context.clock.now()
        var delivery = WebhookDeliveryRecords.deliveries.delivery(
            of: outcome.claim, outcome.verdict, status: outcome.status.map { Int64($0.code) }, reply: outcome.reply, reason: outcome.reason,
            note: outcome.note, began: now.advanced(by: .zero - took), at: now, logger: context.logger)
        let (record, givenUp, isGone) = (delivery.record, delivery.givenUp, outcome.status == .gone)
        let answer = WebhookEndpoint.Answer(
            at: now, status: outcome.status.map { Int64($0.code) }, reason: outcome.reason, note: String(outcome.note.prefix(300)))
        delivery.record = { tx in
            // First the turn: whoever ends a delivery and whoever stores one for the same endpoint come one after the other.
            _ = try WebhookEndpointRecords.takeTurn(id, owner: owner, in: tx)
            try record?(tx)
            try WebhookEndpointRecords.note(answer, by: id, owner: owner, in: tx)
            guard case .delivered = outcome.verdict, let endpoint = try WebhookEndpointRecords.find(id, owner: owner, in: tx) else {
                return
            }
            try WebhookDeliveryRecords.release(to: endpoint, at: now, in: tx)
        }
        delivery.givenUp = { tx in
            try givenUp?(tx)
            // What was given up is told to its owner, in the log of the event, and not to operators.
            try OutboxRecords.closeDeadLetter(message.id, merchant: owner, in: tx)
            guard var endpoint = try WebhookEndpointRecords.find(id, owner: owner, in: tx) else { return }
            if isGone {
                endpoint.stop = endpoint.stop ?? .gone
                try WebhookEndpointRecords.update(endpoint, in: tx)
                try WebhookDeliveryRecords.withdraw(from: endpoint, in: tx)
            } else {
                try WebhookDeliveryRecords.release(to: endpoint, at: now, in: tx)
            }
        }
        let (committed, bell) = (delivery.committed, context.bell)
        delivery.committed = {
            committed?()
            bell.ring()
        }
        return delivery
    }

    /// A wait in seconds that a receiver asks for, up to an hour.
    private static func wait(_ text: String?) -> Duration? {
        text.flatMap { Int64($0) }.flatMap { (0...3_600).contains($0) ? .seconds($0) : nil }
    }
}

extension EventContext {
    /// In test mode an integrator's own program listens here.
    func isOnThisMachine(_ url: String) -> Bool { configuration.mode == .test && AddressPolicy.namesThisMachine(url) }
}
