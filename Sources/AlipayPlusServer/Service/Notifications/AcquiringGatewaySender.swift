import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes

/// Delivers what the gateway owes: notifications to acquirers and errands to wallets.
struct AcquiringGatewaySender: OutboxSender {
    let context: AlipayPlusServerContext
    let collector: Collector

    func deliver(_ claim: OutboxClaim) async -> Delivery {
        guard claim.message.kind == NotificationComposer.kind else { return await collector.deliver(claim.message, attempt: claim.attempt) }
        do {
            return try await notify(claim)
        } catch {
            return attempted(claim, .retry(after: nil), reason: .notSent, note: "the notification cannot be sent: \(error)")
        }
    }

    private func notify(_ claim: OutboxClaim) async throws -> Delivery {
        let frozen = try JSONDocument.decode(FrozenNotification.self, claim.message.body)
        guard let acquirer = try await context.parties.acquirer(claim.message.merchant),
            let party = try await context.parties.party(clientID: acquirer.clientID)
        else { return attempted(claim, .park, reason: .notSent, note: "the acquirer is not registered any more") }
        let keys = context.configuration.keys
        let authorizations = AuthorizationService(context: context, wallets: collector.wallets)
        let signed = try SignedAlipayPlusMessage(
            .request, target: frozen.url, clientID: acquirer.clientID, time: context.clock.everybodysNow.alipayPlusTime,
            body: try await authorizations.completed(Array(frozen.body.utf8), of: claim.message),
            by: keys.acquirerSide, keyVersion: keys.keyVersion)
        let about = await about(claim.message)
        let exchange = context.trace.record(
            "notification", .notification, from: AcquiringGatewayTrace.gateway, to: AcquiringGatewayTrace.acquirer,
            fields: [("attempt", String(claim.attempt))], about: about)
        var headers = context.trace.naming(exchange)
        for field in signed.headers { headers[wire: field.name] = field.value }
        // An exact private origin that the acquirer registered, in test mode, needs no public address.
        let isRegistered = context.configuration.mode == .test && AddressPolicy.isURL(frozen.url, at: Set(acquirer.privateOrigins))
        let began = context.clock.now()
        do throws(SendFailure) {
            let answer = try await context.http.send(
                OutgoingRequest(
                    method: .post, url: frozen.url, headers: headers, body: signed.body,
                    destination: isRegistered ? .configured : .namedByCounterparty, timeout: context.configuration.notificationTimeout,
                    maximumAnswerBytes: DeliveryRecords.replyLimit))
            let problem = Self.problem(with: answer, to: frozen.url, acquirer.acknowledgement ?? .signed, keys: party.keys)
            context.metrics.notified(problem == nil ? "settled" : "refused")
            context.trace.note(
                problem == nil ? "notification settled" : "notification not settled",
                fields: [("status", String(answer.status.code))], about: about, problem: problem?.note)
            return attempted(
                claim, problem == nil ? .delivered : .retry(after: nil), status: Int64(answer.status.code), reply: answer.body,
                reason: problem?.reason, note: problem?.note ?? "", began: began)
        } catch {
            context.metrics.notified(error.code.description)
            context.trace.note("notification not settled", about: about, problem: error.code.description)
            let verdict = Delivery.Verdict(after: error)
            // An attempt that was not begun is no row among the attempts.
            if case .notBegun = verdict { return Delivery(verdict, note: "\(error)") }
            return attempted(claim, verdict, reason: .init(error), note: "\(error)", began: began)
        }
    }

    /// Why an answer does not acknowledge; nil where it does: an S, signed where the acquirer's registration asks for it
    /// (alipay-plus.md#acknowledgement [D, O]).
    private static func problem(
        with answer: OutgoingAnswer, to url: String, _ rule: Acquirer.Acknowledgement, keys: AlipayPlusKeyVersions
    ) -> (reason: DeliveryRecords.Reason, note: String)? {
        guard answer.status == .ok else { return (.wrongStatus, DeliveryRecords.complaint(aboutStatus: answer.status.code)) }
        let isSigned = answer.headers[wire: AlipayPlusHeaders.signature] != nil
        if isSigned {
            do throws(AlipayPlusError) {
                let unverified = try UnverifiedAlipayPlusMessage(.answer, target: url, body: answer.body) { answer.headers[wire: $0] }
                _ = try unverified.verified(by: keys)
            } catch { return (.badSignature, "the reply's signature does not count: \(error.code)") }
        }
        let said: AlipayPlusResult
        do throws(AlipayPlusError) { said = try PlainAnswer(body: answer.body).result } catch {
            return (.wrongAnswer, "the reply is no result: \(DeliveryRecords.likeness(of: answer.body) ?? error.code.description)")
        }
        guard said.isSuccess else { return (.refused, "the result is \(said)") }
        guard isSigned || rule == .unsigned else {
            return (.unsigned, "right answer, but unsigned: the acquirer is registered for signed acknowledgements")
        }
        return nil
    }

    private func about(_ message: OutboxMessage) async -> [String: String] {
        let payment = try? await context.database.lookup {
            try AcquirerPaymentRecords.find(message.subject, acquirer: message.merchant, in: $0)
        }
        return payment.flatMap { $0 }.map { AcquiringGatewayTrace.about($0) } ?? [:]
    }

    private func attempted(
        _ claim: OutboxClaim, _ verdict: Delivery.Verdict, status: Int64? = nil, reply: [UInt8] = [],
        reason: DeliveryRecords.Reason? = nil, note: String, began: Timestamp? = nil
    ) -> Delivery {
        NotificationRecords.deliveries.delivery(
            of: claim, verdict, status: status, reply: reply, reason: reason, note: note, began: began, at: context.clock.now(),
            logger: context.logger)
    }
}
