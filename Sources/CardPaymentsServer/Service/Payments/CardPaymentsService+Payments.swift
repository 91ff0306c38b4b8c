import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Foundation
import PaymentCrypto
import UnionPay

extension CardPaymentsService {
    /// What the first write decided about a payment request.
    private enum Begun: Sendable {
        /// With what was stored, where that is known.
        case new(OutboxMessage, Latest<AcquirerSender.Stored>?)
        /// Another request with the same content has begun this payment, under the same key or under one of its own.
        case join(TimeOrderedID, underSameKey: Bool)
        /// Answered before.
        case finished([UInt8])
        /// Refused, now and for good.
        case refused(FinalAnswer)

        /// What an idempotency key stands for already. Nil where it stands for nothing yet.
        init?(_ known: IdempotencyOutcome?) throws(CardPaymentsError) {
            switch known {
            case .finished(let result)?: self = .finished(result)
            case .running(let subject?)?: self = .join(subject, underSameKey: true)
            case .running(nil)?: throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
            case .conflict?: throw CardPaymentsService.idempotencyConflict
            case .unseen?, nil: return nil
            }
        }
    }

    /// A token that was not accepted. Outside every reason looks the same.
    private struct RefusedToken: Error {
        /// Whether the token is at fault, and not what this server has of keys and time.
        var isFinal: Bool
    }

    /// Takes a token for an order. What is known of the request or of its token is followed; anything else is judged.
    func pay(_ order: Order, _ body: PaymentRequestBody, key: String, merchant: MerchantProfile) async throws -> GivenAnswer {
        // The limit comes before anything that costs.
        if case .refused = orderLimiter.admit(order.id.description) {
            throw CardPaymentsError(code: .rateLimited, reason: "too many payment requests for this order")
        }
        let attempt = CardPaymentAttempt(
            order: order, body: body, merchant: merchant,
            key: try IdempotencyKey(caller: "\(merchant.id)/\(order.id)", operation: Self.paymentOperation, key: key),
            deadline: ContinuousClock.now.advanced(by: merchant.sheetWait ?? context.configuration.sheetWait))
        let (known, earlier) = try await context.database.lookup { tx in
            let known = try IdempotencyRecords.find(attempt.key, fingerprint: body.fingerprint, in: tx)
            guard known == nil else { return (known, nil as CardPaymentsRecords.UsedToken?) }
            return (nil, try CardPaymentsRecords.usedToken(body.transactionIdentifier, merchant: merchant.id, in: tx))
        }
        if let begun = try Begun(known) { return try await follow(begun, attempt) }
        let now = context.clock.now()
        if let earlier, earlier.wasBy(body, for: order) {
            // What was accepted once is not judged again: by now the token may be stale, or the coupon over.
            return try await follow(rejoin(earlier.payment, attempt, at: now), attempt)
        }
        return try await follow(judge(attempt, at: now), attempt)
    }

    /// Prices the order, opens the token and begins its payment, or refuses.
    private func judge(_ attempt: CardPaymentAttempt, at now: Timestamp) async throws -> Begun {
        let definition = try JSONDocument.decode(OrderDefinition.self, attempt.order.detail)
        let pricing = OrderPricing(order: definition, rounding: context.configuration.rounding)
        let quote = try pricing.quote(attempt.body.choice, at: now.date, isToBePaid: true)
        guard quote.errors.isEmpty else {
            // Nothing was begun: the shopper corrects the sheet and authorises anew, under a new key.
            let refused = PaymentView(id: "none", state: "refused", reason: quote.errors[0].code)
            return try await refuse(
                attempt, by: .answer(PaymentAnswer(payment: refused, sheet: .failure, errors: quote.errors)), pricing, at: now)
        }
        do {
            // The phone that signed it knows nothing of times that owners live at.
            return try await begin(open(attempt, quote, at: context.clock.everybodysNow), attempt, at: now)
        } catch let refused as RefusedToken {
            guard refused.isFinal else { throw CardPaymentsError.tokenRefused }
            return try await refuse(attempt, by: .refusal(.tokenRefused), pricing, at: now)
        } catch let error as CardPaymentsError {
            guard let refusal = FinalAnswer(error) else { throw error }
            return try await refuse(attempt, by: refusal, pricing, at: now)
        } catch let error as PaymentsError where error.code == .orderClosed {
            guard let payment = try await lostPayment(of: attempt, pricing, at: now) else { throw error }
            return try await rejoin(payment, attempt, at: now)
        }
    }

    /// Refuses for good, unless the same request has begun a payment whose rows are lost: that one is followed.
    ///
    /// A refusal is stored under its key: the same request gets it again whatever has changed since, and no other may use the key.
    private func refuse(
        _ attempt: CardPaymentAttempt, by refusal: FinalAnswer, _ pricing: OrderPricing, at now: Timestamp
    ) async throws -> Begun {
        if let payment = try await lostPayment(of: attempt, pricing, at: now) { return try await rejoin(payment, attempt, at: now) }
        let keyed = KeyedRequest(attempt.key, fingerprint: attempt.body.fingerprint, at: now)
        switch try await context.database.decideOnce(keyed, answering: refusal.encoded(), { _ in }) {
        case .now: return .refused(refusal)
        case .before(.finished(let first)): return .finished(first)
        case .before(.conflict): throw Self.idempotencyConflict
        case .before: throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
        }
    }

    /// Sends what is new, and waits for the payment's outcome.
    private func follow(_ begun: Begun, _ attempt: CardPaymentAttempt) async throws -> GivenAnswer {
        func given(_ answer: PaymentAnswer, as body: [UInt8]? = nil, isReplayed: Bool) throws -> GivenAnswer {
            GivenAnswer(body: try body ?? JSONDocument.encode(answer), isReplayed: isReplayed, about: ["payment": answer.payment.id])
        }
        let (payment, message, stored): (TimeOrderedID, OutboxMessage?, Latest<AcquirerSender.Stored>?)
        switch begun {
        case .finished(let result): return try given(FinalAnswer(result).answer(isReplayed: true), as: result, isReplayed: true)
        case .refused(let refusal): return try given(refusal.answer(isReplayed: false), isReplayed: false)
        case .join(let known, underSameKey: _): (payment, message, stored) = (known, nil, nil)
        case .new(let deduct, let kept): (payment, message, stored) = (deduct.subject, deduct, kept)
        }
        var isReplayed = false
        if case .join(_, underSameKey: true) = begun { isReplayed = true }
        do {
            // Watched before the deduct leaves, so that the outcome cannot be missed.
            let answer = try await context.settlements.watching(payment, key: attempt.key) { watch in
                if let message { try await send(message, of: stored?.take()) }
                return try await awaitOutcome(watch, attempt, isNew: message != nil)
            }
            context.metrics.answered(answer.payment.state)
            return try given(answer, isReplayed: isReplayed)
        } catch {
            throw afterSending(error)
        }
    }

    /// What a failure means behind a message that is stored and may have left: from there on no failure of the store means that nothing
    /// was changed, and neither does a row that is gone, as after a failover to a standby that lagged. The caller is told to ask again with
    /// the same key.
    func afterSending(_ error: any Error) -> any Error {
        func unknown(_ reason: String) -> StorageError {
            StorageError(code: .commitUnknown, reason: "after a message was stored: \(reason)")
        }
        switch error {
        case let error as StorageError: return unknown(error.reason)
        case let error as PaymentsError where error.code == .contended: return unknown(error.reason)
        case let error as PaymentsError where [.paymentNotFound, .modificationNotFound, .orderNotFound].contains(error.code):
            context.lost(error.reason)
            return unknown(error.reason)
        case let error as CardPaymentsError where [.paymentNotFound, .refundNotFound, .orderNotFound].contains(error.code):
            context.lost(error.reason)
            return unknown(error.reason)
        default: return error
        }
    }

    /// Verifies, opens and binds. Outside, every failure is the same; the trace and the metrics name it.
    private func open(
        _ attempt: CardPaymentAttempt, _ quote: OrderPricing.Quote, at now: Timestamp
    ) throws(RefusedToken) -> PaymentIntent {
        let (order, body) = (attempt.order, attempt.body)
        do throws(ApplePayError) {
            let unverified = try UnverifiedToken(body.paymentData)
            guard unverified.token.transactionIdentifier == body.transactionIdentifier.lowercased() else {
                throw ApplePayError(code: .transactionIdentifierMismatch, reason: "the client names another transaction than the token")
            }
            let token = try verifier.verify(unverified, at: now.date)
            let payload = try TokenDecryptor(keys: attempt.merchant.processingKeys).open(token)
            try OrderBinding(amount: quote.total, applicationData: order.applicationData).check(token, payload)
            context.trace.note(
                "token accepted",
                fields: [.init("payload", payload.description, meaning: "What the token held, masked.")],
                about: ["order": order.id.description, "apple-pay.transaction": token.token.transactionIdentifier])
            return PaymentIntent(token: token, payload: payload, quote: quote, id: paymentID(of: token, attempt))
        } catch {
            context.metrics.refusedToken(error.code.description)
            context.trace.note("token refused", about: ["order": order.id.description], problem: "\(error.code): \(error.reason)")
            throw RefusedToken(isFinal: error.code != .unknownPublicKeyHash && error.code != .tokenFromFuture)
        }
    }

    /// The id of the payment that a token begins: made of the token and of the instant at which it was signed.
    ///
    /// Where a failover loses the row and the app asks again, the deduct that leaves then is a copy of the first one. The acquirer takes it
    /// for a duplicate, and a query finds what became of the first.
    func paymentID(of token: VerifiedToken, _ attempt: CardPaymentAttempt) -> TimeOrderedID {
        let intent = attempt.order.id.bytes + Array(token.token.transactionIdentifier.utf8)
        return context.issued.id(ofIntent: intent, at: token.signedAt, for: attempt.merchant.id)
    }

    /// One write: idempotency key, used token, attempt, outbox row leased to this request, first query's deadline, audit row.
    private func begin(_ intent: PaymentIntent, _ attempt: CardPaymentAttempt, at now: Timestamp) async throws -> Begun {
        let (id, amount, order, merchant) = (intent.id, intent.quote.total, attempt.order, attempt.merchant)
        let key = try context.messages.key(id, merchant: merchant, at: intent.token.signedAt)
        let frozen = try context.messages.consume(
            key, order: order.id, amount: amount, payload: intent.payload, merchant: merchant, at: now)
        let message = try context.messages.row(
            .consume, frozen, subject: id, version: 1, merchant: merchant, lease: context.configuration.requestLease, at: now)
        let detail = try detail(of: intent, attempt, at: now)
        let draft = try Payment(
            merchant: merchant.id, id: id, order: order.id, amount: amount, externalKey: key.description, detail: detail.encoded(), at: now)
        let (store, stored) = (context.store, Latest<AcquirerSender.Stored>())
        return try await context.database.writeRepeatably { tx -> Begun in
            // The same token with the same request under another key is the same intent; with anything else it is a replay.
            let earlier = try CardPaymentsRecords.usedToken(intent.transaction, merchant: merchant.id, in: tx)
            if let earlier, !earlier.wasBy(attempt.body, for: order) { throw CardPaymentsError.tokenRefused }
            let known = try IdempotencyRecords.begin(
                attempt.key, fingerprint: attempt.body.fingerprint, subject: earlier?.payment ?? id, at: now, in: tx)
            switch try Begun(known) {
            case nil: break
            // Our own message: this write was done already, and its commit's answer was lost.
            case .join(id, underSameKey: true)? where try OutboxRecords.find(id, merchant: merchant.id, in: tx)?.body == message.body:
                return .new(message, nil)
            case let begun?: return begun
            }
            if let earlier { return .join(earlier.payment, underSameKey: false) }
            guard try CardPaymentsRecords.use(intent.transaction, merchant: merchant.id, by: attempt.use(for: id), at: now, in: tx) else {
                // Somebody used the token between the two statements.
                throw CardPaymentsError(code: .idempotencyRunning, reason: "the same token is being worked on")
            }
            let payment: Payment
            do {
                payment = try store.begin(
                    draft, detail: EventDetail(actor: "app"), at: now,
                    messages: { kind, _ in if case .submit = kind { message } else { nil } }, in: tx)
            } catch let error as PaymentsError where error.code == .attemptInProgress {
                // People have restored this very payment after its row was lost: it is followed.
                guard try PaymentRecords.find(id, merchant: merchant.id, in: tx) != nil else { throw error }
                return .join(id, underSameKey: false)
            }
            stored.set(AcquirerSender.Stored(payment: payment, payTimeout: detail.timeLimit, deduct: frozen))
            return .new(message, stored)
        }
    }

    /// The same request once more, under a key of its own: it follows the payment that the first one began.
    private func rejoin(_ payment: TimeOrderedID, _ attempt: CardPaymentAttempt, at now: Timestamp) async throws -> Begun {
        try await context.database.writeRepeatably { tx -> Begun in
            let known = try IdempotencyRecords.begin(
                attempt.key, fingerprint: attempt.body.fingerprint, subject: payment, at: now, in: tx)
            return try Begun(known) ?? .join(payment, underSameKey: false)
        }
    }

    func detail(of intent: PaymentIntent, _ attempt: CardPaymentAttempt, at now: Timestamp) throws -> PaymentDetail {
        let (body, account) = (attempt.body, intent.payload.applicationPrimaryAccountNumber.reveal())
        var contacts: Data?
        if body.choice.contact != nil || body.billingContact != nil {
            var generator = SourcedGenerator(source: context.identifiers)
            let plain = try JSONDocument.encode(PaymentDetail.Contacts(shipping: body.choice.contact, billing: body.billingContact))
            contacts = Data(try context.configuration.keys.sealer.seal(plain, context: intent.id.bytes, using: &generator))
        }
        return PaymentDetail(
            transactionIdentifier: intent.transaction, maskedAccount: Mask.cardNumber(account),
            accountHash: Hexadecimal.encode(hash(account, "card-number").bytes), network: body.network, items: intent.quote.items,
            shippingMethod: intent.quote.shippingMethod, couponCode: body.choice.couponCode, contacts: contacts,
            payTimeout: now.advanced(by: context.configuration.payTimeout).beijing.secondsSince1970,
            reversalDue: context.pendingPolicy(of: attempt.merchant) == .failAndReverse
                ? now.advanced(by: context.configuration.requestLease).microseconds : nil)
    }

    /// Sends a row that is leased to this request and stores the outcome. A message that certainly did not leave is tried
    /// twice more; otherwise the queries decide.
    func send(_ message: OutboxMessage, of stored: AcquirerSender.Stored? = nil) async throws {
        var delivery = await sender.deliver(.byRequest(message), of: stored)
        for _ in 0..<2 {
            guard case .retry = delivery.verdict, !Task.isCancelled else { break }
            delivery = await sender.deliver(.byRequest(message))
        }
        let outcome = delivery
        try await context.database.writeRepeatably { tx in try OutboxRecords.finishByRequest(message, outcome, in: tx) }
        outcome.committed?()
    }

    /// Waits for the payment's outcome, by notification or by query, while the sheet is open, and sees to it that the answer is stored
    /// under its key. The first answer stays: identical requests get identical answers.
    ///
    /// - Parameter isNew: Nothing can have settled the payment before it was watched; otherwise the store is read first.
    private func awaitOutcome(
        _ watch: SettlementNews.Watch, _ attempt: CardPaymentAttempt, isNew: Bool
    ) async throws -> PaymentAnswer {
        let (id, merchant, idempotency) = (watch.payment, attempt.merchant, attempt.key)
        // What this process stores ends the wait at once; the looks in between are for what another process stores, or this one
        // without learning that it did.
        var pause = Duration.milliseconds(50)
        var waits = isNew
        while !Task.isCancelled {
            if waits {
                let next = min(attempt.deadline, .now.advanced(by: context.database.isShared ? pause : .seconds(1)))
                pause = min(pause * 2, .milliseconds(200))
                if case .answered(let answer) = await watch.news(until: next) { return answer }
            }
            waits = true
            let (stored, payment) = try await context.database.lookup { tx in
                (try IdempotencyRecords.result(idempotency, in: tx), try PaymentRecords.find(id, merchant: merchant.id, in: tx))
            }
            // Whoever settled the payment may have answered this request too, and not yet said so.
            if let stored { return try JSONDocument.decode(PaymentAnswer.self, stored) }
            guard let payment else { throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone") }
            if payment.state.isSettled || ContinuousClock.now >= attempt.deadline { break }
        }
        // A request that is torn down early has nothing to say that could be final.
        try Task.checkCancellation()
        return try await answerSheet(of: id, attempt)
    }

    /// Stores the answer to a payment as it is now, settled or not. One that is not settled is undone where policy says so.
    private func answerSheet(of id: TimeOrderedID, _ attempt: CardPaymentAttempt) async throws -> PaymentAnswer {
        let (now, context) = (context.clock.now(), context)
        return try await context.database.writeRepeatably { tx -> PaymentAnswer in
            let stored = try IdempotencyRecords.result(attempt.key, in: tx)
            if let stored { return try JSONDocument.decode(PaymentAnswer.self, stored) }
            let payment = try context.closeSheet(of: id, merchant: attempt.merchant, at: now, in: tx)
            let answer = PaymentAnswer(to: payment, policy: context.pendingPolicy(of: attempt.merchant))
            if try IdempotencyRecords.finish(attempt.key, result: JSONDocument.encode(answer), in: tx) { return answer }
            // Another process has answered between the two statements: its answer is everybody's.
            guard let first = try IdempotencyRecords.result(attempt.key, in: tx) else {
                throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
            }
            return try JSONDocument.decode(PaymentAnswer.self, first)
        }
    }
}
