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
        /// Another request with the same content has begun this payment.
        case join(TimeOrderedID)
        case finished([UInt8])
    }

    /// A token that was not accepted. Outside every reason looks the same.
    private struct RefusedToken: Error {
        /// Whether the token is at fault, and not what this server has of keys and time.
        var isFinal: Bool
    }

    /// Takes a token for an order: verify, open, bind, store, send, and wait while the sheet is open.
    func pay(_ order: Order, _ body: PaymentRequestBody, key: String, merchant: MerchantProfile) async throws -> PaymentAnswer {
        // The limit comes before anything that costs.
        if case .refused = orderLimiter.admit(order.id.description) {
            throw CardPaymentsError(code: .rateLimited, reason: "too many payment requests for this order")
        }
        let idempotency = try IdempotencyKey(caller: "\(merchant.id)/\(order.id)", operation: Self.paymentOperation, key: key)
        let deadline = ContinuousClock.now.advanced(by: context.configuration.sheetWait)

        let (known, earlier) = try await context.database.lookup { tx in
            let known = try IdempotencyRecords.find(idempotency, fingerprint: body.fingerprint, in: tx)
            guard known == nil else { return (known, nil as CardPaymentsRecords.UsedToken?) }
            return (nil, try CardPaymentsRecords.usedToken(body.transactionIdentifier, merchant: merchant.id, in: tx))
        }
        switch known {
        case .finished(let result)?: return try FinalAnswer(result).answer()
        case .conflict?: throw Self.idempotencyConflict
        case .running(let subject?)?:
            return try await afterSending {
                try await context.settlements.watching(subject, key: idempotency) { watch in
                    try await settle(watch, merchant, until: deadline)
                }
            }
        case .running(nil)?: throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
        case .unseen?, nil: break
        }

        let now = context.clock.now()
        if let earlier, earlier.wasBy(body, for: order) {
            // What was accepted once is not judged again: by now the token may be stale, or the coupon over.
            return try await follow(rejoin(earlier.payment, body, idempotency, at: now), merchant, idempotency, until: deadline)
        }
        let definition = try JSONDocument.decode(OrderDefinition.self, order.detail)
        let pricing = OrderPricing(order: definition, rounding: context.configuration.rounding)
        let quote = try pricing.quote(body.choice, at: now.date)
        let errors = quote.errors + [pricing.contactError(body.choice.contact)].compactMap { $0 }
        guard errors.isEmpty else {
            // Nothing was begun: the shopper corrects the sheet and authorises anew, under a new key.
            let refused = PaymentView(id: "none", state: "refused", reason: errors[0].code)
            return try await refuse(
                .answer(PaymentAnswer(payment: refused, sheet: .failure, errors: errors)), order, body, pricing, idempotency, merchant,
                at: now, until: deadline)
        }
        let begun: Begun
        do {
            let (token, payload) = try open(body, order: order, amount: quote.total, merchant: merchant, at: now)
            begun = try await begin(order, body, quote, token, payload, idempotency, merchant, at: now)
        } catch let refused as RefusedToken {
            guard refused.isFinal else { throw CardPaymentsError.tokenRefused }
            return try await refuse(.refusal(.tokenRefused), order, body, pricing, idempotency, merchant, at: now, until: deadline)
        } catch let error as CardPaymentsError {
            guard let refusal = FinalAnswer(error) else { throw error }
            return try await refuse(refusal, order, body, pricing, idempotency, merchant, at: now, until: deadline)
        } catch let error as PaymentsError where error.code == .orderClosed {
            guard let payment = try await lostPayment(of: body, order, pricing, merchant, at: now) else { throw error }
            return try await follow(rejoin(payment, body, idempotency, at: now), merchant, idempotency, until: deadline)
        }
        return try await follow(begun, merchant, idempotency, until: deadline)
    }

    /// Refuses for good, unless the same request has begun a payment whose rows are lost: that one is followed.
    private func refuse(
        _ refusal: FinalAnswer, _ order: Order, _ body: PaymentRequestBody, _ pricing: OrderPricing, _ idempotency: IdempotencyKey,
        _ merchant: MerchantProfile, at now: Timestamp, until deadline: ContinuousClock.Instant
    ) async throws -> PaymentAnswer {
        guard let payment = try await lostPayment(of: body, order, pricing, merchant, at: now) else {
            return try await keep(refusal, under: idempotency, body, at: now)
        }
        return try await follow(rejoin(payment, body, idempotency, at: now), merchant, idempotency, until: deadline)
    }

    /// Sends what is new, and waits for the payment to settle.
    private func follow(
        _ begun: Begun, _ merchant: MerchantProfile, _ idempotency: IdempotencyKey, until deadline: ContinuousClock.Instant
    ) async throws -> PaymentAnswer {
        switch begun {
        case .finished(let result): return try FinalAnswer(result).answer()
        case .join(let payment):
            return try await afterSending {
                try await context.settlements.watching(payment, key: idempotency) { watch in
                    try await settle(watch, merchant, until: deadline)
                }
            }
        case .new(let message, let stored):
            return try await afterSending {
                // Watched before the deduct leaves, so that the outcome cannot be missed.
                try await context.settlements.watching(message.subject, key: idempotency) { watch in
                    try await send(message, of: stored?.take())
                    return try await settle(watch, merchant, until: deadline, isNew: true)
                }
            }
        }
    }

    /// Stores a refusal under its key: the same request gets it again whatever has changed since, and no other may use the key.
    private func keep(
        _ refusal: FinalAnswer, under idempotency: IdempotencyKey, _ body: PaymentRequestBody, at now: Timestamp
    ) async throws -> PaymentAnswer {
        let result = try refusal.encoded()
        let earlier = try await context.database.writeRepeatably { tx in
            try IdempotencyRecords.begin(idempotency, fingerprint: body.fingerprint, result: result, at: now, in: tx)
        }
        switch earlier {
        case .unseen: return try refusal.answer()
        case .finished(let first): return try FinalAnswer(first).answer()
        case .running: throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
        case .conflict: throw Self.idempotencyConflict
        }
    }

    /// Runs what follows a message that is stored and may have left: from there on no failure of the store means that nothing
    /// was changed, and neither does a row that is gone, as after a failover to a standby that lagged. The caller is told to ask again with
    /// the same key.
    func afterSending<Value>(_ body: () async throws -> Value) async throws -> Value {
        func unknown(_ reason: String) -> StorageError {
            StorageError(code: .commitUnknown, reason: "after a message was stored: \(reason)")
        }
        do {
            return try await body()
        } catch let error as StorageError {
            throw unknown(error.reason)
        } catch let error as PaymentsError where error.code == .contended {
            throw unknown(error.reason)
        } catch let error as PaymentsError where [.paymentNotFound, .modificationNotFound, .orderNotFound].contains(error.code) {
            context.lost(error.reason)
            throw unknown(error.reason)
        } catch let error as CardPaymentsError where [.paymentNotFound, .refundNotFound, .orderNotFound].contains(error.code) {
            context.lost(error.reason)
            throw unknown(error.reason)
        }
    }

    /// Verifies, opens and binds. Outside, every failure is the same; the trace and the metrics name it.
    private func open(
        _ body: PaymentRequestBody, order: Order, amount: Amount, merchant: MerchantProfile, at now: Timestamp
    ) throws(RefusedToken) -> (VerifiedToken, PaymentPayload) {
        do throws(ApplePayError) {
            let unverified = try UnverifiedToken(body.paymentData)
            guard unverified.token.transactionIdentifier == body.transactionIdentifier.lowercased() else {
                throw ApplePayError(code: .transactionIdentifierMismatch, reason: "the client names another transaction than the token")
            }
            let token = try unverified.verified(by: verifier, at: now.date)
            let payload = try TokenDecryptor(keys: merchant.processingKeys).open(token)
            try OrderBinding(amount: amount, applicationData: order.applicationData).check(token, payload)
            context.trace.note(
                "token accepted",
                fields: [.init("payload", payload.description, meaning: "What the token held, masked.")],
                about: ["order": order.id.description, "apple-pay.transaction": token.token.transactionIdentifier])
            return (token, payload)
        } catch {
            context.metrics.refusedToken(error.code.description)
            context.trace.note("token refused", about: ["order": order.id.description], problem: "\(error.code): \(error.reason)")
            throw RefusedToken(isFinal: error.code != .unknownPublicKeyHash && error.code != .tokenFromFuture)
        }
    }

    /// The payment that a token begins: made of the token and of the instant at which it was signed.
    ///
    /// Where a failover loses the row and the app asks again, the deduct that leaves then is a copy of the first one. The acquirer takes it
    /// for a duplicate, and a query finds what became of the first.
    func intent(_ token: VerifiedToken, _ order: Order, _ merchant: MerchantProfile) -> (id: TimeOrderedID, signedAt: Timestamp) {
        let signedAt = Timestamp(secondsSince1970: Int64(token.signingTime.timeIntervalSince1970))
        let intent = order.id.bytes + Array(token.token.transactionIdentifier.utf8)
        return (context.issued.id(ofIntent: intent, at: signedAt, for: merchant.id), signedAt)
    }

    /// One write: idempotency key, used token, attempt, outbox row leased to this request, first query's deadline, audit row.
    private func begin(
        _ order: Order, _ body: PaymentRequestBody, _ quote: OrderPricing.Quote, _ token: VerifiedToken, _ payload: PaymentPayload,
        _ idempotency: IdempotencyKey, _ merchant: MerchantProfile, at now: Timestamp
    ) async throws -> Begun {
        let transaction = token.token.transactionIdentifier
        let (id, signedAt) = intent(token, order, merchant)
        let key = try context.messages.key(id, merchant: merchant, at: signedAt)
        let frozen = try context.messages.consume(
            key, order: order.id, amount: quote.total, payload: payload, merchant: merchant, at: now)
        let message = try context.messages.row(
            .consume, frozen, subject: id, version: 1, merchant: merchant, lease: context.configuration.requestLease, at: now)
        let detail = try detail(body, quote, token, payload, payment: id, at: now)
        let draft = try Payment(
            merchant: merchant.id, id: id, order: order.id, amount: quote.total, externalKey: key.description,
            detail: detail.encoded(), at: now)
        let used = CardPaymentsRecords.UsedToken(payment: id, order: order.id, fingerprint: body.fingerprint.bytes)
        let (store, stored) = (context.store, Latest<AcquirerSender.Stored>())
        return try await context.database.writeRepeatably { tx -> Begun in
            // The same token with the same request under another key is the same intent; with anything else it is a replay.
            let earlier = try CardPaymentsRecords.usedToken(transaction, merchant: merchant.id, in: tx)
            if let earlier, !earlier.wasBy(body, for: order) { throw CardPaymentsError.tokenRefused }
            switch try Self.claim(idempotency, for: earlier?.payment ?? id, body, at: now, in: tx) {
            case nil: break
            // Our own message: this write was done already, and its commit's answer was lost.
            case .join(id)? where try OutboxRecords.find(id, merchant: merchant.id, in: tx)?.body == message.body:
                return .new(message, nil)
            case let begun?: return begun
            }
            if let earlier { return .join(earlier.payment) }
            guard try CardPaymentsRecords.use(transaction, merchant: merchant.id, by: used, at: now, in: tx) else {
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
                return .join(id)
            }
            stored.set(AcquirerSender.Stored(payment: payment, payTimeout: detail.timeLimit, deduct: frozen))
            return .new(message, stored)
        }
    }

    /// The same request once more, under a key of its own: it follows the payment that the first one began.
    private func rejoin(
        _ payment: TimeOrderedID, _ body: PaymentRequestBody, _ idempotency: IdempotencyKey, at now: Timestamp
    ) async throws -> Begun {
        try await context.database.writeRepeatably { tx in
            try Self.claim(idempotency, for: payment, body, at: now, in: tx) ?? .join(payment)
        }
    }

    /// Takes the key for a payment. Nil where it is taken just now, and what to do where it was taken before.
    private static func claim(
        _ idempotency: IdempotencyKey, for payment: TimeOrderedID, _ body: PaymentRequestBody, at now: Timestamp, in tx: any Transaction
    ) throws -> Begun? {
        switch try IdempotencyRecords.begin(idempotency, fingerprint: body.fingerprint, subject: payment, at: now, in: tx) {
        case .unseen: return nil
        case .finished(let result): return .finished(result)
        case .running(let subject?): return .join(subject)
        case .running(nil): throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
        case .conflict: throw idempotencyConflict
        }
    }

    func detail(
        _ body: PaymentRequestBody, _ quote: OrderPricing.Quote, _ token: VerifiedToken, _ payload: PaymentPayload,
        payment: TimeOrderedID, at now: Timestamp
    ) throws -> PaymentDetail {
        let account = payload.applicationPrimaryAccountNumber.reveal()
        var contacts: Data?
        if body.choice.contact != nil || body.billingContact != nil {
            var generator = SourcedGenerator(source: context.identifiers)
            let plain = try JSONDocument.encode(PaymentDetail.Contacts(shipping: body.choice.contact, billing: body.billingContact))
            contacts = Data(try context.configuration.keys.sealer.seal(plain, context: payment.bytes, using: &generator))
        }
        return PaymentDetail(
            transactionIdentifier: token.token.transactionIdentifier, maskedAccount: Mask.cardNumber(account),
            accountHash: Hexadecimal.encode(hash(account, "card-number").bytes), network: body.network, items: quote.items,
            shippingMethod: quote.shippingMethod, couponCode: body.choice.couponCode, contacts: contacts,
            payTimeout: now.advanced(by: context.configuration.payTimeout).beijing.secondsSince1970,
            reversalDue: context.configuration.pendingPolicy == .failAndReverse
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

    /// Waits for the payment to settle, by notification or by query, and sees to it that the answer is stored under its key. The
    /// first answer stays: identical requests get identical answers.
    ///
    /// - `isNew`: Nothing can have settled the payment before it was watched; otherwise the store is read first.
    private func settle(
        _ watch: SettlementNews.Watch, _ merchant: MerchantProfile, until deadline: ContinuousClock.Instant, isNew: Bool = false
    ) async throws -> PaymentAnswer {
        let (id, idempotency) = (watch.payment, watch.key)
        // What this process stores ends the wait at once; the looks in between are for what another process stores, or this one
        // without learning that it did.
        var pause = Duration.milliseconds(50)
        var waits = isNew
        while !Task.isCancelled {
            if waits {
                let next = min(deadline, .now.advanced(by: context.database.isShared ? pause : .seconds(1)))
                pause = min(pause * 2, .milliseconds(200))
                if case .answered(let answer) = await watch.news(until: next) {
                    context.metrics.answered(answer.payment.state)
                    return answer
                }
            }
            waits = true
            let (stored, payment) = try await context.database.lookup { tx in
                (try IdempotencyRecords.result(idempotency, in: tx), try PaymentRecords.find(id, merchant: merchant.id, in: tx))
            }
            // Whoever settled the payment may have answered this request too, and not yet said so.
            if let stored {
                let answer = try JSONDocument.decode(PaymentAnswer.self, stored)
                context.metrics.answered(answer.payment.state)
                return answer
            }
            guard let payment else { throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone") }
            if payment.state.isSettled || ContinuousClock.now >= deadline { break }
        }
        // A request that is torn down early has nothing to say that could be final.
        try Task.checkCancellation()
        let now = context.clock.now()
        let context = context
        let answer = try await context.database.writeRepeatably { tx -> PaymentAnswer in
            let stored = try IdempotencyRecords.result(idempotency, in: tx)
            if let stored { return try JSONDocument.decode(PaymentAnswer.self, stored) }
            let payment = try Self.closeSheet(of: id, merchant, context, at: now, in: tx)
            let answer = PaymentAnswer(to: payment, policy: context.configuration.pendingPolicy)
            if try IdempotencyRecords.finish(idempotency, result: JSONDocument.encode(answer), in: tx) { return answer }
            // Another process has answered between the two statements: its answer is everybody's.
            guard let first = try IdempotencyRecords.result(idempotency, in: tx) else {
                throw CardPaymentsError(code: .idempotencyRunning, reason: "the same request is being worked on")
            }
            return try JSONDocument.decode(PaymentAnswer.self, first)
        }
        context.metrics.answered(answer.payment.state)
        return answer
    }

    /// Undoes a payment whose outcome is not known when its sheet has to close, where policy says so. Returns the payment as it is
    /// then.
    @discardableResult
    static func closeSheet(
        of id: TimeOrderedID, _ merchant: MerchantProfile, _ context: ServiceContext, at now: Timestamp, in tx: any Transaction
    ) throws -> Payment {
        guard let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) else {
            throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone")
        }
        // Once: where a reversal came to nothing, a person has been called.
        guard !payment.state.isSettled, context.configuration.pendingPolicy == .failAndReverse, payment.reserved == 0,
            !payment.standing.evidence.contains(.undoWanted)
        else { return payment }
        do {
            try beginReversal(of: payment, merchant, context, by: "system", at: now, in: tx)
        } catch let error as PaymentsError where error.code == .wrongState {
            // It has settled, or somebody else reverses it, since it was read: what is true now is the answer.
        }
        return try PaymentRecords.find(id, merchant: merchant.id, in: tx) ?? payment
    }

    /// Undoes a payment whose outcome is not known, and takes its message back where it has not left.
    @discardableResult
    static func beginReversal(
        of payment: Payment, _ merchant: MerchantProfile, _ context: ServiceContext, id: TimeOrderedID? = nil, by actor: String,
        at now: Timestamp, in tx: any Transaction
    ) throws -> Modification {
        let id = id ?? context.issued.next(at: now, for: merchant.id)
        let modification = Modification(
            merchant: merchant.id, id: id, payment: payment.id, kind: .reversal, amount: payment.amount,
            externalKey: "\(payment.externalKey)/99/\(id)", reason: "not settled in time", at: now)
        let message = try context.messages.reversal(of: payment, merchant: merchant)
        let row = try context.messages.row(.reversal, message, subject: id, version: 1, merchant: merchant, lease: .zero, at: now)
        let begun = try context.store.begin(
            modification, detail: EventDetail(actor: actor, reason: "reversal"), queryAfter: .seconds(60), at: now, message: { _ in row },
            in: tx)
        try OutboxRecords.withdraw(payment.id, merchant: merchant.id, in: tx)
        return begun
    }
}
