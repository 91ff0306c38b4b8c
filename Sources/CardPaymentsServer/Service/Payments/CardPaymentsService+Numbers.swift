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
    func number(of order: Order, _ body: NumberRequestBody, key: String, merchant: MerchantProfile) async throws -> GivenAnswer {
        guard context.configuration.endpoints.application != nil else {
            throw CardPaymentsError(code: .numbersNotConfigured, reason: "orders are not paid by UnionPay's own client here")
        }
        try admit(order)
        let idempotency = try IdempotencyKey(caller: "\(merchant.id)/\(order.id)", operation: Self.numberOperation, key: key)
        let known = try await context.database.lookup { tx in
            try IdempotencyRecords.find(idempotency, fingerprint: body.fingerprint, in: tx)
        }
        var begun: (payment: TimeOrderedID, message: OutboxMessage?)
        switch known {
        case .finished(let result)?: begun = (try TimeOrderedID(text: JSONDocument.decode(NumberAnswer.self, result).payment.id), nil)
        case .conflict?: throw Self.idempotencyConflict
        case .running(let subject?)?: begun = (subject, nil)
        case .running(nil)?, .unseen?, nil: begun = try await begin(order, body, under: idempotency, merchant: merchant)
        }
        do {
            if let message = begun.message { try await sendOnce(message) }
            return try await answer(about: begun.payment, idempotency, merchant: merchant)
        } catch {
            throw afterSending(error)
        }
    }

    private func admit(_ order: Order) throws(CardPaymentsError) {
        if case .refused = orderLimiter.admit(order.id.description) {
            throw CardPaymentsError(code: .rateLimited, reason: "too many requests for this order")
        }
    }

    /// The payment that this request begins, with the message that it is to send, or the order's open one where that is for the same
    /// choice and amount.
    private func begin(
        _ order: Order, _ body: NumberRequestBody, under key: IdempotencyKey, merchant: MerchantProfile
    ) async throws -> (TimeOrderedID, OutboxMessage?) {
        let now = context.clock.now()
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let quote = try OrderPricing(order: definition, rounding: context.configuration.rounding)
            .quote(body.choice, at: now.date, isToBePaid: true)
        guard quote.errors.isEmpty else {
            throw CardPaymentsError(code: .choiceRefused, reason: "the choice cannot be paid for: \(quote.errors[0].code)")
        }
        try Self.checkPushable(quote.total)
        let (id, acquirerKey) = try attempt(at: order, merchant: merchant, at: now)
        let limit = now.advanced(by: context.configuration.payTimeout)
        let frozen = try context.messages.push(
            acquirerKey, order: order.id, amount: quote.total, text: definition.merchantName, merchant: merchant, until: limit)
        let message = try context.messages.row(
            .push, frozen, subject: id, version: 1, merchant: merchant, lease: context.configuration.requestLease, at: now)
        let detail = PaymentDetail(
            pushed: quote.items, wish: try wish(body.choice, quote, of: definition), shippingMethod: quote.shippingMethod,
            couponCode: body.choice.couponCode, contacts: try sealed(body.choice.contact, for: id),
            payTimeout: limit.beijing.secondsSince1970)
        let draft = try Payment(
            merchant: merchant.id, id: id, order: order.id, amount: quote.total, externalKey: acquirerKey.description,
            detail: detail.encoded(), at: now)
        let store = context.store
        return try await context.database.writeRepeatably { tx -> (TimeOrderedID, OutboxMessage?) in
            let open = try Self.openPush(of: order, amount: draft.amount.minorUnits, wish: detail.wish, at: now, in: tx)
            let known = try IdempotencyRecords.begin(key, fingerprint: body.fingerprint, subject: open ?? id, at: now, in: tx)
            switch known {
            case .unseen: break
            // Our own message: this write was done already, and its commit's answer was lost.
            case .running(id?) where try OutboxRecords.find(id, merchant: merchant.id, in: tx)?.body == message.body: return (id, message)
            case .running(let subject?): return (subject, nil)
            case .conflict: throw Self.idempotencyConflict
            case .finished, .running(nil): throw Self.beingWorkedOn
            }
            if let open { return (open, nil) }
            // Somebody has begun the same attempt and it has ended, since the order was read.
            guard try PaymentRecords.find(id, merchant: merchant.id, in: tx)?.state.allowsAnotherAttempt != true else {
                throw Self.beingWorkedOn
            }
            _ = try store.begin(
                draft, detail: EventDetail(actor: "app"), query: Deadline.pushedPaymentQuery, at: now,
                messages: { kind, _ in if case .submit = kind { message } else { nil } }, in: tx)
            return (id, message)
        }
    }

    /// What tells one choice from another: what was priced and where it goes, not what was typed. A method or an address without
    /// effect on electronic goods makes no other choice; the e-mail address that they are sent to does.
    private func wish(_ choice: OrderPricing.Choice, _ quote: OrderPricing.Quote, of order: OrderDefinition) throws -> String {
        let destination: [UInt8] =
            switch order.goods {
            case .delivered: try choice.contact.map { try JSONDocument.encode($0) } ?? []
            case .electronic: Array((choice.contact?.emailAddress ?? "").utf8)
            }
        let counted = RequestFingerprint(parts: [
            Array((quote.shippingMethod ?? "").utf8), Array((choice.couponCode ?? "").utf8), destination,
        ])
        let hash = KeyedHash(of: counted.bytes, purpose: "number-request", key: context.configuration.keys.hashing)
        return Hexadecimal.encode(hash.bytes)
    }

    private static var beingWorkedOn: CardPaymentsError {
        CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
    }

    /// What can be pushed: 1 to 999 999 999 999 fen (unionpay-tn.md#order-push). An order may come to nothing by its coupon.
    private static func checkPushable(_ total: Amount) throws(CardPaymentsError) {
        guard total.isPositive, total.currency.numericCode == "156", (try? total.unionPayText()) != nil else {
            throw CardPaymentsError(code: .invalidAmount, reason: "UnionPay's client takes from 0.01 to 9999999999.99 CNY, not \(total)")
        }
    }

    /// The id of an order's next attempt and the acquirer's key for it, made of the order and of how many attempts came before.
    ///
    /// Where a failover loses the row and the app asks again, under whatever key, the push that leaves then is a copy of the first one: the
    /// acquirer takes it for a duplicate and gives no second number. `txnTime` has to be about the time of sending
    /// (unionpay-tn.md#order-push), so it is made of the order's age in steps of five minutes. Within a step a query finds the first
    /// copy as well; later what is paid by it comes as a notice about nothing in the books, for people.
    private func attempt(at order: Order, merchant: MerchantProfile, at now: Timestamp) throws -> (TimeOrderedID, TransactionKey) {
        let made = order.createdAt
        let id = context.issued.id(
            ofIntent: order.id.bytes + Array("push \(order.attempts)".utf8), at: made.advanced(by: .milliseconds(order.attempts)),
            for: merchant.id)
        let age = max(0, now.microseconds - made.microseconds)
        let sent = Timestamp(microseconds: made.microseconds + age / Self.step * Self.step)
        return (id, try context.messages.key(id, merchant: merchant, at: sent))
    }

    /// How old `txnTime` may be, in microseconds: no older than a deduct's.
    private static let step: Int64 = 300_000_000

    /// The order's pushed payment that can still be paid, where it is for the same choice.
    private static func openPush(
        of order: Order, amount: Int64, wish: String?, at now: Timestamp, in tx: any Transaction
    ) throws -> TimeOrderedID? {
        for payment in try PaymentRecords.find(order: order.id, merchant: order.merchant, in: tx)
        where !payment.state.isSettled && payment.amount.minorUnits == amount {
            let detail = try PaymentDetail(payment.detail)
            if detail.pushed == true, detail.wish == wish, now < detail.timeLimit { return payment.id }
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
    ///
    /// The first answer stays as long as the order can be paid by its number. Afterwards nobody gets the number any more, by whatever key:
    /// the payment's state then is told without it.
    ///
    /// It says that it is the first one again where it is, byte for byte.
    private func answer(about id: TimeOrderedID, _ key: IdempotencyKey, merchant: MerchantProfile) async throws -> GivenAnswer {
        let (mode, now) = (context.configuration.mode == .production ? "00" : "01", context.clock.now())
        return try await context.database.writeRepeatably { tx -> GivenAnswer in
            guard let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) else {
                throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone")
            }
            let isOpen = try !payment.state.isSettled && now < PaymentDetail(payment.detail).timeLimit
            let number = try CardPaymentsRecords.number(of: id, merchant: merchant.id, in: tx)
            let present = NumberAnswer(
                payment: PaymentView(id: id.description, state: payment.state.rawValue, reason: payment.reason),
                tn: isOpen ? number?.description : nil, mode: isOpen && number != nil ? mode : nil)
            let told = try JSONDocument.encode(present)
            func given(_ body: [UInt8], isReplayed: Bool) -> GivenAnswer {
                GivenAnswer(body: body, isReplayed: isReplayed, about: ["payment": id.description])
            }
            func first() throws -> GivenAnswer? {
                guard let kept = try IdempotencyRecords.result(key, in: tx) else { return nil }
                return isOpen || kept == told ? given(kept, isReplayed: true) : given(told, isReplayed: false)
            }
            if let first = try first() { return first }
            guard number != nil || payment.state != .submitted else {
                throw CardPaymentsError(code: .idempotencyRunning, reason: "UnionPay has not answered yet; ask again with the same key")
            }
            if try IdempotencyRecords.finish(key, result: told, in: tx) { return given(told, isReplayed: false) }
            guard let first = try first() else { throw Self.beingWorkedOn }
            return first
        }
    }

    // MARK: What the app brings back

    /// Takes the client's word, which settles nothing, and asks the acquirer at once. The order's view afterwards is the truth as far as
    /// it is known.
    func takeResult(_ body: AppResultBody, of order: Order, merchant: MerchantProfile) async throws {
        try admit(order)
        let pushed = try await payments(of: order).filter { try PaymentDetail($0.detail).pushed == true }
        context.trace.note(
            "result from the app", fields: [.init("code", body.code, meaning: "What UnionPay's client says. It proves nothing.")],
            about: ["order": order.id.description], problem: try await problem(with: body, of: pushed, merchant: merchant))
        for payment in pushed where !payment.state.isSettled {
            if case .admitted = resultLimiter.admit(payment.id.description) { try await ask(about: payment, merchant: merchant) }
        }
    }

    /// In what UnionPay's signature differs from the app's word and from the order's numbers, for people; `nil` where it differs in nothing,
    /// or where there is none that could be verified here.
    private func problem(with body: AppResultBody, of pushed: [Payment], merchant: MerchantProfile) async throws -> String? {
        guard let signed = body.signed, let verifier = merchant.appResults else { return nil }
        let result: VerifiedAppResult
        do throws(UnionPayError) { result = try verifier.verified(signed) } catch {
            return "the signed result is not believed: \(error.code)"
        }
        let numbers = try await context.database.lookup { tx in
            try pushed.compactMap { try CardPaymentsRecords.number(of: $0.id, merchant: merchant.id, in: tx) }
        }
        var problems: [String] = []
        if result.word.rawValue != body.code { problems.append("the app says \(body.code), and UnionPay signed \(result.word.rawValue)") }
        if !numbers.contains(result.number) { problems.append("UnionPay signed about a number that is none of the order's") }
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
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
