import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Foundation
import PaymentCrypto
import UnionPay

/// Orders that are paid by UnionPay's own client: the server asks for a number, the app hands it to the client, and the money is known by
/// notification or query (unionpay-tn.md#flow).
extension CardPaymentsService {
    static let numberOperation = "POST /v1/orders/{id}/transaction-numbers"

    /// Asks for an order's number, or finds the one that is there.
    ///
    /// A number stays good until its time limit: whoever left the client and comes back pays by the same one. Throws `idempotency-running`
    /// while there is none yet, and the caller asks again with the same key.
    func number(of order: Order, _ body: NumberRequestBody, key: String, merchant: MerchantProfile) async throws -> NumberAnswer {
        guard context.configuration.endpoints.application != nil else {
            throw CardPaymentsError(code: .numbersNotConfigured, reason: "orders are not paid by UnionPay's own client here")
        }
        if case .refused = orderLimiter.admit(order.id.description) {
            throw CardPaymentsError(code: .rateLimited, reason: "too many requests for this order")
        }
        let idempotency = try IdempotencyKey(caller: "\(merchant.id)/\(order.id)", operation: Self.numberOperation, key: key)
        let known = try await context.database.lookup { tx in
            try IdempotencyRecords.find(idempotency, fingerprint: body.fingerprint, in: tx)
        }
        let payment: TimeOrderedID
        switch known {
        case .finished(let result)?: return try JSONDocument.decode(NumberAnswer.self, result)
        case .conflict?: throw Self.idempotencyConflict
        case .running(let subject?)?: payment = subject
        case .running(nil)?, .unseen?, nil: payment = try await begin(order, body, under: idempotency, merchant: merchant)
        }
        do {
            return try await answer(about: payment, idempotency, merchant: merchant)
        } catch {
            throw afterSending(error)
        }
    }

    /// The payment that this request begins and sends, or the order's open one where that is for the same amount.
    private func begin(
        _ order: Order, _ body: NumberRequestBody, under key: IdempotencyKey, merchant: MerchantProfile
    ) async throws -> TimeOrderedID {
        let now = context.clock.now()
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let quote = try OrderPricing(order: definition, rounding: context.configuration.rounding)
            .quote(body.choice, at: now.date, isToBePaid: true)
        guard quote.errors.isEmpty else {
            throw CardPaymentsError(code: .choiceRefused, reason: "the choice cannot be paid for: \(quote.errors[0].code)")
        }
        let (id, limit) = (context.issued.next(at: now, for: merchant.id), now.advanced(by: context.configuration.payTimeout))
        let acquirerKey = try context.messages.key(id, merchant: merchant, at: now)
        let frozen = try context.messages.push(
            acquirerKey, order: order.id, amount: quote.total, text: definition.merchantName, merchant: merchant, until: limit)
        let message = try context.messages.row(
            .push, frozen, subject: id, version: 1, merchant: merchant, lease: context.configuration.requestLease, at: now)
        let detail = PaymentDetail(
            pushed: quote.items, shippingMethod: quote.shippingMethod, couponCode: body.choice.couponCode,
            contacts: try sealed(body.choice.contact, for: id), payTimeout: limit.beijing.secondsSince1970)
        let draft = try Payment(
            merchant: merchant.id, id: id, order: order.id, amount: quote.total, externalKey: acquirerKey.description,
            detail: detail.encoded(), at: now)
        let store = context.store
        let begun = try await context.database.writeRepeatably { tx -> TimeOrderedID in
            let open = try Self.openPush(of: order, amount: draft.amount.minorUnits, at: now, in: tx)
            let known = try IdempotencyRecords.begin(key, fingerprint: body.fingerprint, subject: open ?? id, at: now, in: tx)
            switch known {
            case .unseen: break
            case .running(let subject?): return subject
            case .conflict: throw Self.idempotencyConflict
            case .finished, .running(nil):
                throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
            }
            if let open { return open }
            _ = try store.begin(
                draft, detail: EventDetail(actor: "app"), at: now,
                messages: { kind, _ in if case .submit = kind { message } else { nil } }, in: tx)
            return id
        }
        if begun == id { try await sendOnce(message) }
        return begun
    }

    /// The order's pushed payment that can still be paid.
    private static func openPush(of order: Order, amount: Int64, at now: Timestamp, in tx: any Transaction) throws -> TimeOrderedID? {
        for payment in try PaymentRecords.find(order: order.id, merchant: order.merchant, in: tx)
        where !payment.state.isSettled && payment.amount.minorUnits == amount {
            let detail = try PaymentDetail(payment.detail)
            if detail.pushed == true, now < detail.timeLimit { return payment.id }
        }
        return nil
    }

    private func sealed(_ contact: Contact?, for id: TimeOrderedID) throws -> Data? {
        guard let contact else { return nil }
        var generator = SourcedGenerator(source: context.identifiers)
        let plain = try JSONDocument.encode(PaymentDetail.Contacts(shipping: contact, billing: nil))
        return Data(try context.configuration.keys.sealer.seal(plain, context: id.bytes, using: &generator))
    }

    /// Sends a row that is leased to this request, once; a worker sends it again where it must.
    private func sendOnce(_ message: OutboxMessage) async throws {
        let outcome = await sender.deliver(.byRequest(message))
        let now = context.clock.now()
        try await context.database.writeRepeatably { tx in
            try OutboxRecords.finishByRequest(message, outcome, retryAt: now.advanced(by: .seconds(2)), in: tx)
        }
        outcome.committed?()
    }

    /// The answer to a request whose payment is stored: final once the number is there, or once there will be none.
    private func answer(about id: TimeOrderedID, _ key: IdempotencyKey, merchant: MerchantProfile) async throws -> NumberAnswer {
        let mode = context.configuration.mode == .production ? "00" : "01"
        return try await context.database.writeRepeatably { tx -> NumberAnswer in
            if let first = try IdempotencyRecords.result(key, in: tx) { return try JSONDocument.decode(NumberAnswer.self, first) }
            guard let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) else {
                throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone")
            }
            let number = try CardPaymentsRecords.number(of: id, merchant: merchant.id, in: tx)
            guard number != nil || payment.state != .submitted else {
                throw CardPaymentsError(code: .idempotencyRunning, reason: "UnionPay has not answered yet; ask again with the same key")
            }
            let answer = NumberAnswer(
                payment: PaymentView(id: id.description, state: payment.state.rawValue, reason: payment.reason),
                tn: number?.description, mode: number == nil ? nil : mode)
            if try IdempotencyRecords.finish(key, result: JSONDocument.encode(answer), in: tx) { return answer }
            guard let first = try IdempotencyRecords.result(key, in: tx) else {
                throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
            }
            return try JSONDocument.decode(NumberAnswer.self, first)
        }
    }

    // MARK: What the app brings back

    /// Takes the client's word, which settles nothing, and asks the acquirer at once. The order's view afterwards is the truth as far as
    /// it is known.
    func takeResult(_ body: AppResultBody, of order: Order, merchant: MerchantProfile) async throws {
        let about = ["order": order.id.description]
        var problem: String?
        if let signed = body.signed, let verifier = merchant.appResults {
            do throws(UnionPayError) {
                let result = try verifier.verified(signed)
                if result.word.rawValue != body.code { problem = "the app says \(body.code), and UnionPay signed \(result.word.rawValue)" }
            } catch {
                problem = "the signed result is not believed: \(error.code)"
            }
        }
        context.trace.note(
            "result from the app", fields: [.init("code", body.code, meaning: "What UnionPay's client says. It proves nothing.")],
            about: about, problem: problem)
        for payment in try await payments(of: order) where !payment.state.isSettled {
            guard try PaymentDetail(payment.detail).pushed == true, case .admitted = queryLimiter.admit(payment.id.description) else {
                continue
            }
            try await ask(about: payment, merchant: merchant)
        }
    }

    /// One question beside the schedule. Only "paid" is taken from it: everything else has time.
    private func ask(about payment: Payment, merchant: MerchantProfile) async throws {
        let queries = OutcomeQueries(context: context)
        let reply = try await queries.ask(
            payment.externalKey, reference: payment.acquirerReference, merchant: merchant,
            about: ["payment": payment.id.description, "order": payment.order.description])
        guard let reply, reply.verdict(of: payment.amount) == .paid else { return }
        let (now, context, said) = (context.clock.now(), context, try queries.said(reply, payment.externalKey))
        let taken = try await context.database.writeRepeatably { tx in
            try context.take(.succeeded, about: payment, merchant: merchant, detail: said, at: now, in: tx)
        }
        context.tell(taken)
    }
}
