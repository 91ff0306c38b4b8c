import Alipay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes
import Logging

/// Delivers what the gateway owes: notifications to merchants and refunds to wallets.
struct OrderGatewaySender: OutboxSender {
    let context: AlipayServerContext

    func deliver(_ claim: OutboxClaim) async -> Delivery {
        switch claim.message.kind {
        case NotificationComposer.kind: await notify(claim)
        case WalletRefund.kind: await refund(claim)
        default: Delivery(.park, note: "unknown kind")
        }
    }

    // MARK: Notifications

    private func notify(_ claim: OutboxClaim) async -> Delivery {
        let message = claim.message
        let frozen: FrozenNotification
        let request: OutgoingRequest
        do {
            frozen = try context.notifications.notification(of: message)
            request = try await self.request(frozen, message.merchant)
        } catch {
            return attempted(claim, .retry(after: nil), reason: .notSent, note: "the notification cannot be signed: \(error)")
        }
        let about = Self.about(frozen)
        var outgoing = request
        let exchange = context.trace.record(
            frozen.fields.first { $0.name == "notify_type" }?.value ?? "notification", .notification, from: OrderGatewayTrace.gateway,
            to: OrderGatewayTrace.merchant, fields: frozen.fields.map { ($0.name, $0.value) } + [("attempt", String(claim.attempt))],
            about: about)
        for field in context.trace.naming(exchange) { outgoing.headers.append(field) }
        let began = context.clock.now()
        do throws(SendFailure) {
            let answer = try await context.http.send(outgoing)
            let problem = Self.problem(with: answer)
            context.metrics.notified(problem == nil ? "settled" : "refused")
            let shown = String(decoding: answer.body.prefix(64), as: UTF8.self)
            context.trace.note(
                problem == nil ? "notification settled" : "notification not settled",
                fields: [("status", String(answer.status.code)), ("reply", shown)], about: about, problem: problem?.note)
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

    /// Why a reply does not settle a notification; nil where it does (alipay.md#reply-and-retries [D]).
    private static func problem(with answer: OutgoingAnswer) -> (reason: DeliveryRecords.Reason, note: String)? {
        if NotificationReply.isAccepted(status: answer.status.code, body: answer.body) { return nil }
        guard answer.status == .ok else { return (.wrongStatus, DeliveryRecords.complaint(aboutStatus: answer.status.code)) }
        let body = String(decoding: answer.body.prefix(64), as: UTF8.self)
        let word = body.trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" || $0 == "\"" }
        if word.lowercased().hasPrefix("fail") { return (.refused, "the merchant says that it has not taken it") }
        // What is nearly right is the hardest to see.
        guard word.lowercased().hasPrefix("success") else {
            return (.wrongAnswer, "the reply is not exactly success" + (DeliveryRecords.likeness(of: answer.body).map { ": \($0)" } ?? ""))
        }
        if answer.body.last == UInt8(ascii: "\n"), word.count(where: { !$0.isWhitespace }) == 7 {
            return (.wrongAnswer, "the reply is not exactly success: it has a line end behind the seven letters")
        }
        return (.wrongAnswer, "the reply is not exactly success: it has more than the seven letters, or other ones")
    }

    /// The posted form: signed anew, and the same each time.
    private func request(_ frozen: FrozenNotification, _ merchant: MerchantID) async throws -> OutgoingRequest {
        guard let algorithm = AlipaySignatureAlgorithm(rawValue: frozen.signType) else {
            throw AlipayError(code: .unknownKey, reason: "no \(frozen.signType) key is registered")
        }
        let signer: any AlipaySigner
        let origins: [String]
        switch frozen.signer {
        case .partner:
            guard let partner = try await context.merchants.partner(merchant) else {
                throw AlipayError(code: .unknownKey, reason: "the merchant is not registered any more")
            }
            (signer, origins) = (try partner.signer(algorithm), partner.merchant.notifyOrigins)
        case .application(let appID):
            guard let application = try await context.merchants.application(appID) else {
                throw AlipayError(code: .unknownKey, reason: "the application is not registered any more")
            }
            (signer, origins) = (try application.signer(algorithm), application.merchant.notifyOrigins)
        }
        let charset = AlipayCharset(rawValue: frozen.charset) ?? .utf8
        let signed = try await AlipayNotification.signed(
            frozen.fields.map { ($0.name, $0.value) }, charset: charset, by: signer)
        // An exact private origin that the merchant registered, in test mode, needs no public address.
        let isRegistered = context.configuration.mode == .test && AddressPolicy.isURL(frozen.url, at: Set(origins))
        return OutgoingRequest(
            method: .post, url: frozen.url, headers: [.contentType: signed.contentType, .userAgent: "Mozilla/4.0"],
            body: Array(signed.form.utf8), destination: isRegistered ? .configured : .namedByCounterparty,
            timeout: context.configuration.notificationTimeout, maximumAnswerBytes: DeliveryRecords.replyLimit)
    }

    private static func about(_ frozen: FrozenNotification) -> [String: String] {
        var about: [String: String] = [:]
        for field in frozen.fields {
            if field.name == "out_trade_no" { about["alipay.order"] = field.value }
            if field.name == "trade_no" { about["alipay.trade"] = field.value }
        }
        return about
    }

    private func attempted(
        _ claim: OutboxClaim, _ verdict: Delivery.Verdict, status: Int64? = nil, reply: [UInt8] = [],
        reason: DeliveryRecords.Reason? = nil, note: String, began: Timestamp? = nil
    ) -> Delivery {
        NotificationRecords.deliveries.delivery(
            of: claim, verdict, status: status, reply: reply, reason: reason, note: note, began: began, at: context.clock.now(),
            logger: context.logger)
    }

    // MARK: Refunds

    private struct Done: Decodable { var state: String }

    private func refund(_ claim: OutboxClaim) async -> Delivery {
        let message = claim.message
        guard let body = try? JSONDocument.decode(WalletRefund.self, message.body) else {
            return Delivery(.park, note: "the refund cannot be read")
        }
        guard let wallet = context.configuration.wallets.first(where: { WalletRefund.destination(of: $0.id) == message.destination }) else {
            context.logger.error(
                "a refund's wallet is not configured", metadata: ["refund": "\(message.id)", "wallet": "\(message.destination)"])
            return Delivery(.retry(after: nil), note: "no such wallet is configured")
        }
        let about = ["alipay.trade": body.tradeNo]
        let exchange = context.trace.record(
            "refund", .request, from: OrderGatewayTrace.gateway, to: OrderGatewayTrace.wallet,
            fields: [("tradeNo", body.tradeNo), ("amount", "\(body.amount.value) \(body.amount.currency)")], about: about)
        var request = OutgoingRequest(
            method: .post, url: wallet.origin + "/wallet/link/v1/refunds",
            headers: [.contentType: "application/json", .authorization: "Bearer \(wallet.credential.reveal())"], body: message.body,
            destination: .configured, timeout: context.configuration.notificationTimeout, maximumAnswerBytes: DeliveryRecords.replyLimit)
        for field in context.trace.naming(exchange) { request.headers.append(field) }
        do throws(SendFailure) {
            let answer = try await context.http.send(request)
            let isDone =
                answer.status == .ok && (try? JSONDocument.decode(Done.self, answer.body))?.state == "done"
            context.trace.record(
                "refund", .response, from: OrderGatewayTrace.wallet, to: OrderGatewayTrace.gateway,
                fields: [("status", String(answer.status.code))],
                about: about, problem: isDone ? nil : "the wallet has not credited the refund")
            context.metrics.walletRefund(isDone ? "credited" : String(answer.status.code))
            guard isDone else {
                let passing: Set<HTTPResponse.Status> = [.unauthorized, .requestTimeout, .tooManyRequests]
                if answer.status.kind == .clientError, !passing.contains(answer.status) {
                    context.logger.error(
                        "a wallet does not take a refund that its merchant has paid",
                        metadata: ["refund": "\(message.id)", "trade": "\(body.tradeNo)", "status": "\(answer.status.code)"])
                }
                return Delivery(
                    .retry(after: nil), note: "the wallet answered \(answer.status.code)",
                    receipt: Array(answer.body.prefix(DeliveryRecords.keptReply)))
            }
            let now = context.clock.now()
            return Delivery(
                .delivered, receipt: Array(answer.body.prefix(DeliveryRecords.keptReply)),
                record: { tx in try RefundRecords.credited(message.id, merchant: message.merchant, at: now, in: tx) })
        } catch {
            context.metrics.walletRefund(error.code.description)
            return Delivery(.retry(after: nil), note: "\(error)")
        }
    }
}
