import ApplePay
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import UnionPay

/// Payments that were sent and whose rows a failover has lost. The store says nothing of them, and that alone says nothing either.
extension CardPaymentsService {
    /// The payment that a request which is about to be refused has begun, where its rows were lost: the one that people have restored,
    /// or one that the acquirer has been paid, which is restored here. Nil where it has certainly begun none.
    ///
    /// Its number at the acquirer is made of the token, so the acquirer is asked under it. Its "no such transaction" counts once no
    /// copy can arrive any more; before that nobody is told anything final.
    ///
    /// - Throws: ``CardPaymentsError/Code/outcomeUnknown`` while that is not known.
    func lostPayment(of attempt: CardPaymentAttempt, _ pricing: OrderPricing, at now: Timestamp) async throws -> TimeOrderedID? {
        guard let intent = try intentThatMayHaveLeft(attempt, pricing, at: now) else { return nil }
        let merchant = attempt.merchant.id
        let (used, isThere) = try await context.database.lookup { tx in
            (
                try CardPaymentsRecords.usedToken(intent.transaction, merchant: merchant, in: tx),
                try PaymentRecords.find(intent.id, merchant: merchant, in: tx) != nil
            )
        }
        // Nothing is lost of a token whose use is there.
        if let used { return used.wasBy(attempt.body, for: attempt.order) ? used.payment : nil }
        if isThere {
            _ = try await context.database.writeRepeatably { tx in
                try CardPaymentsRecords.use(intent.transaction, merchant: merchant, by: attempt.use(for: intent.id), at: now, in: tx)
            }
            return intent.id
        }
        return try await ask(about: intent, attempt, at: now)
    }

    /// Nil where a rule that does not depend on what is stored proves that this request has begun nothing, at whatever instant it came: the
    /// token does not verify at any age, is not bound to the order, or the choice could not be honoured when the token was made.
    private func intentThatMayHaveLeft(
        _ attempt: CardPaymentAttempt, _ pricing: OrderPricing, at now: Timestamp
    ) throws -> PaymentIntent? {
        let (order, body) = (attempt.order, attempt.body)
        guard let unverified = try? UnverifiedToken(body.paymentData),
            unverified.token.transactionIdentifier == body.transactionIdentifier.lowercased(),
            let token = try? verifier.verify(unverified, at: now.date, anyAge: true)
        else { return nil }
        let payload: PaymentPayload
        do throws(ApplePayError) { payload = try TokenDecryptor(keys: attempt.merchant.processingKeys).open(token) } catch {
            // Its key may have been here when it was accepted.
            guard error.code == .unknownPublicKeyHash else { return nil }
            throw Self.notKnownYet
        }
        guard case .emv = payload.paymentData else { return nil }
        // Coupons and orders end and never begin: what was not possible then was not possible later.
        let earliest = max(token.signedAt.advanced(by: .seconds(-verifier.freshness.skew)), order.createdAt)
        guard earliest <= min(now, lastFresh(token)), earliest < order.expiresAt,
            let quote = try? pricing.quote(body.choice, at: earliest.date, isToBePaid: true), quote.errors.isEmpty,
            (try? OrderBinding(amount: quote.total, applicationData: order.applicationData).check(token, payload)) != nil
        else { return nil }
        return PaymentIntent(token: token, payload: payload, quote: quote, id: paymentID(of: token, attempt))
    }

    private func ask(about intent: PaymentIntent, _ attempt: CardPaymentAttempt, at now: Timestamp) async throws -> TimeOrderedID? {
        let key = try context.messages.key(intent.id, merchant: attempt.merchant, at: intent.token.signedAt).description
        let queries = OutcomeQueries(context: context)
        guard case .admitted = queryLimiter.admit(intent.id.description),
            let reply = try await queries.ask(
                key, reference: nil, merchant: attempt.merchant,
                about: ["payment": intent.id.description, "order": attempt.order.id.description])
        else { throw Self.notKnownYet }
        switch reply.verdict(of: intent.quote.total) {
        case .paid:
            context.lost("the acquirer has been paid what the books do not know")
            return try await restore(intent, attempt, externalKey: key, said: queries.said(reply, key), at: now)
        // It arrived and was refused for good: nothing was taken, and a copy is a duplicate.
        case .declined: return nil
        case .notPerformed where now > lastArrival(of: intent): return nil
        case .notPerformed: throw Self.notKnownYet
        case .unknown, .disputed, .otherAmount:
            context.lost("the acquirer speaks of a payment that is not in the books")
            throw Self.notKnownYet
        }
    }

    /// Until when a token is taken.
    private func lastFresh(_ token: VerifiedToken) -> Timestamp {
        token.signedAt.advanced(by: .seconds(verifier.freshness.maximumAge + verifier.freshness.skew))
    }

    /// Until when a message of the intent may reach the acquirer: it is begun while the token is fresh, and does not leave after its
    /// time limit.
    private func lastArrival(of intent: PaymentIntent) -> Timestamp {
        lastFresh(intent.token).advanced(by: context.configuration.payTimeout).advanced(by: QuerySchedule.settlingMargin)
    }

    private func restore(
        _ intent: PaymentIntent, _ attempt: CardPaymentAttempt, externalKey key: String, said: EventDetail, at now: Timestamp
    ) async throws -> TimeOrderedID {
        var detail = try detail(of: intent, attempt, at: now)
        // As where people restore it: of how it began nothing is left.
        detail.transactionIdentifier = ""
        detail.reversalDue = nil
        let merchant = attempt.merchant
        let draft = try Payment(
            merchant: merchant.id, id: intent.id, order: attempt.order.id, amount: intent.quote.total, externalKey: key,
            detail: detail.encoded(), at: now)
        let context = context
        let taken = try await context.database.writeRepeatably { tx in
            let payment = try context.store.restore(draft, detail: said, at: now, in: tx)
            _ = try CardPaymentsRecords.use(
                intent.transaction, merchant: merchant.id, by: attempt.use(for: intent.id), at: now, in: tx)
            return try context.take(.succeeded, about: payment, merchant: merchant, detail: said, at: now, in: tx)
        }
        context.tell(taken)
        return intent.id
    }

    private static var notKnownYet: CardPaymentsError {
        CardPaymentsError(
            code: .outcomeUnknown, reason: "whether this request was charged before is not known yet; ask again with the same key")
    }
}
