import BillfoldJSON
import BillfoldMoney
package import BillfoldPayments
package import BillfoldServer
import BillfoldStorage
import HTTPTypes

/// What operators may have done to card payments, each after an approval and under the approval's id: running one twice does
/// nothing more.
package struct CardPaymentsActions: Sendable {
    let server: CardPaymentsServer
    /// Links the rows that resolving a dead letter leaves in the merchant's chain of operators' actions.
    let links: AuditChain

    package init(server: CardPaymentsServer, links: AuditChain) {
        self.server = server
        self.links = links
    }

    /// The actions by kind:
    /// - `refund` of a payment's id; its detail is the body of `POST /v1/payments/{id}/refunds`, with the currency where one is named;
    /// - `redeliver` of a dead letter's id: the message's schedule starts again;
    /// - `discard` of a dead letter's id: it is never sent; its detail `{"remark"}` says why.
    package var all: [String: ApprovalAction] {
        [
            "refund": ApprovalAction(read: readRefund, run: refund),
            "redeliver": ApprovalAction(read: readRedelivery, run: redeliver),
            "discard": ApprovalAction(read: readDiscard, run: discard),
        ]
    }

    // MARK: Refunds

    private struct Refund {
        var amount: Amount
        var reason: String?

        /// The payment says which currency is meant; one that is named must be the same.
        init(_ detail: [UInt8], of payment: Payment) throws(ServerError) {
            let reader = try ApprovalReader(detail, allowing: ["amount", "currency", "reason"])
            let currency = payment.currency
            if let named = try reader.optionalText("currency", maximum: 3), !ExactText.equal(named, currency.alphabeticCode) {
                throw .malformed("the payment's currency is \(currency)")
            }
            let text = try reader.text("amount", maximum: 32)
            do throws(MoneyError) { amount = try Amount(text, currency: currency, fraction: .exact) } catch {
                throw ServerError(CardPaymentsError(code: .invalidAmount, reason: error.reason))
            }
            reason = try reader.optionalText("reason")
        }
    }

    @Sendable private func readRefund(_ subject: String, _ detail: [UInt8]) async throws -> ApprovalAction.Wish {
        let (payment, merchant) = try await payment(subject)
        let refund = try Refund(detail, of: payment)
        let order = try await server.service.context.database.read { tx in
            try OrderRecords.find(payment.order, merchant: merchant.id, in: tx)
        }
        var lines: [ApprovalAction.Line] = [
            .init("Refund", "\(refund.amount)"), .init("Of the payment", "\(payment.id), \(payment.amount)"),
            .init("Order", order?.reference ?? payment.order.description), .init("Merchant", merchant.id.description),
        ]
        if let reason = refund.reason { lines.append(.init("Reason", reason)) }
        return ApprovalAction.Wish(
            detail: JSONObject(ordered: [
                "amount": .string(refund.amount.text), "currency": .string(refund.amount.currency.alphabeticCode),
                "reason": refund.reason.map { .string($0) },
            ]), lines: lines)
    }

    @Sendable private func refund(_ request: ApprovalRequest) async throws -> String {
        try await refusing {
            let (payment, merchant) = try await payment(request.subject)
            let wish = try Refund(Array(request.detail.utf8), of: payment)
            let given = try await server.service.refund(
                payment.id.description, RefundRequestBody(amount: wish.amount.text, reason: wish.reason), key: request.id.description,
                merchant: merchant)
            let refund = try JSONDocument.decode(ModificationView.self, given.body)
            return "refund \(refund.id) of \(refund.amount) \(refund.currency): \(refund.state)"
        }
    }

    /// The payment of any of the merchants.
    private func payment(_ id: String) async throws -> (Payment, MerchantProfile) {
        let service = server.service
        for merchant in service.context.merchants.all {
            if let payment = try await service.known(id, merchant: merchant) {
                OwnTime.enter(merchant.id.description)
                return (payment, merchant)
            }
        }
        throw ServerError(CardPaymentsError(code: .paymentNotFound, reason: "there is no such payment"))
    }

    // MARK: Dead letters

    @Sendable private func readRedelivery(_ subject: String, _ detail: [UInt8]) async throws -> ApprovalAction.Wish {
        _ = try ApprovalReader(detail, allowing: [])
        return ApprovalAction.Wish(detail: JSONObject(), lines: try await letter(subject, "Send again"))
    }

    @Sendable private func readDiscard(_ subject: String, _ detail: [UInt8]) async throws -> ApprovalAction.Wish {
        let remark = try Self.remark(detail)
        return ApprovalAction.Wish(
            detail: JSONObject(ordered: ["remark": .string(remark)]),
            lines: try await letter(subject, "Never send") + [.init("Reason", remark)])
    }

    private static func remark(_ detail: [UInt8]) throws(ServerError) -> String {
        try ApprovalReader(detail, allowing: ["remark"]).reason("remark")
    }

    @Sendable private func redeliver(_ request: ApprovalRequest) async throws -> String {
        try await resolve(request, .retry, because: "approval \(request.id)")
        return "the message is being sent again"
    }

    @Sendable private func discard(_ request: ApprovalRequest) async throws -> String {
        let remark = try Self.remark(Array(request.detail.utf8))
        try await resolve(request, .discard, because: "approval \(request.id): \(remark)")
        return "the message is never sent"
    }

    /// What a message is, for people. Refuses one that nobody knows.
    private func letter(_ id: String, _ verb: String) async throws -> [ApprovalAction.Line] {
        guard let id = try? TimeOrderedID(text: id) else { throw Self.noLetter }
        let context = server.service.context
        for merchant in context.merchants.all {
            let lines = try await context.database.read { tx -> [ApprovalAction.Line]? in
                guard let message = try OutboxRecords.find(id, merchant: merchant.id, in: tx) else { return nil }
                var lines: [ApprovalAction.Line] = [.init(verb, "the message \(message.id), \(message.kind)")]
                // A message is about a payment, or about a refund, void or reversal of one.
                let about = try ModificationRecords.find(message.subject, merchant: merchant.id, in: tx)
                if let about { lines.append(.init("For the \(about.kind.rawValue)", "\(about.id), \(about.amount)")) }
                if let payment = try PaymentRecords.find(about?.payment ?? message.subject, merchant: merchant.id, in: tx) {
                    lines.append(.init("Of the payment", "\(payment.id), \(payment.amount)"))
                    let order = try OrderRecords.find(payment.order, merchant: merchant.id, in: tx)
                    lines.append(.init("Order", order?.reference ?? payment.order.description))
                }
                return lines + [.init("Merchant", merchant.id.description)]
            }
            if let lines { return lines }
        }
        throw Self.noLetter
    }

    private func resolve(
        _ request: ApprovalRequest, _ action: OutboxRecords.OperatorAction, because reason: String
    ) async throws {
        let (context, links) = (server.service.context, links)
        guard let id = try? TimeOrderedID(text: request.subject) else { throw Self.noLetter }
        let now = context.clock.now()
        for merchant in context.merchants.all {
            let isResolved = try await context.database.write { tx in
                try OutboxRecords.resolve(
                    id, merchant: merchant.id, action: action, by: request.decidedBy ?? request.requestedBy, because: reason, at: now,
                    linking: links, in: tx)
            }
            if isResolved { return }
        }
        throw Self.noLetter
    }

    private static var noLetter: ServerError {
        ServerError(code: .conflict, reason: "no message of that id is given up, or not any more", status: .conflict)
    }

    /// What the service refuses before anything moved becomes the approval's outcome. Anything else leaves it approved, to be
    /// run again.
    private func refusing(_ action: () async throws -> String) async throws -> String {
        do { return try await action() } catch {
            if let refusal = ErrorMapping().withCardPayments().refusal(for: error), refusal.status.kind == .clientError {
                throw ServerError(refusal)
            }
            throw error
        }
    }
}

extension ServerError {
    /// What an operator is told of a refusal.
    fileprivate init(_ error: CardPaymentsError) { self.init(Refusal(error)) }
}
