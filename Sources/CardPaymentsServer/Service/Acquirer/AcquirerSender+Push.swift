import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import UnionPay

extension AcquirerSender {
    /// Asks for the number of an order (unionpay-tn.md#order-push). Without an answer the same bytes go again: nothing is taken by any
    /// copy, and nobody can pay by a number that was not handed out.
    func push(_ claim: OutboxClaim, merchant: MerchantProfile) async throws -> Delivery {
        let message = claim.message
        let found = try await context.database.lookup { tx in
            try PaymentRecords.find(message.subject, merchant: message.merchant, in: tx)
        }
        guard let payment = found, payment.state == .submitted else {
            return Delivery(.delivered, note: "not sent: the payment is past that")
        }
        guard try context.clock.now() < PaymentDetail(payment.detail).timeLimit, let address = context.configuration.endpoints.application
        else { return settled(.unresolved, because: "not sent: past its time limit, or without an address", of: payment, merchant) }
        let about = ["payment": payment.id.description, "order": payment.order.description]
        let answer = await context.connection.post(
            try context.messages.open(message), to: address, title: AcquirerMessages.Kind.push.rawValue, about: about)
        switch answer {
        case .notSent(let reason), .silent(let reason): return retried(because: reason, payment, merchant)
        case .fields(let fields):
            do throws(UnionPayError) {
                let reply = try Unverified<OrderPushReply>(fields).verified(by: merchant.verifier, at: context.clock.now().date)
                    .bound(to: TransactionKey(externalKey: payment.externalKey))
                let said = "\(reply.code) \(reply.message)"
                switch reply.outcome(of: claim.attempt > 1 ? .repeated : .first) {
                // Its "success" is about the order, not about money: for a reason it would read as paid.
                case .ready(let number):
                    return settled(.accepted, saying: EventDetail(actor: "unionpay"), of: payment, merchant, number: number)
                case .refused:
                    // As for a deduct: the number is made of the intent, so an earlier copy may have left before its row was lost.
                    let (truth, told) = await truth(
                        behind: EventDetail(actor: "unionpay", reason: said), key: payment.externalKey, amount: payment.amount,
                        merchant: merchant, about: about)
                    let event: PaymentEvent = truth.isRefused ? .declined : truth == .paid ? .succeeded : .unresolved
                    return settled(event, saying: told, of: payment, merchant, alarm: truth.alarm)
                // As good as no answer: the customer waits, and the same bytes may have more luck.
                case .busy: return retried(because: said, payment, merchant)
                case .unresolved: return settled(.unresolved, because: said, of: payment, merchant)
                }
            } catch {
                context.trace.note("reply refused", about: about, problem: "the reply is not believed: \(error.code)")
                return retried(because: "the reply is not believed: \(error.code)", payment, merchant)
            }
        }
    }

    private func settled(
        _ event: PaymentEvent, because reason: String, of payment: Payment, _ merchant: MerchantProfile, number: TransactionNumber? = nil
    ) -> Delivery {
        settled(event, saying: EventDetail(actor: "unionpay", reason: reason), of: payment, merchant, number: number)
    }

    private func settled(
        _ event: PaymentEvent, saying detail: EventDetail, of payment: Payment, _ merchant: MerchantProfile, number: TransactionNumber? = nil,
        alarm: PaymentTransition.Alarm? = nil
    ) -> Delivery {
        let (now, context, taken) = (context.clock.now(), context, Latest<Taken>())
        var delivery = Delivery(.delivered, note: detail.reason ?? event.name) { tx in
            if let number { try CardPaymentsRecords.keep(number: number, of: payment.id, merchant: merchant.id, at: now, in: tx) }
            taken.set(try context.take(event, about: payment, merchant: merchant, detail: detail, alarm: alarm, at: now, in: tx))
        }
        delivery.committed = { context.tell(taken.value) }
        return delivery
    }

    private func retried(because reason: String, _ payment: Payment, _ merchant: MerchantProfile) -> Delivery {
        let (now, context, taken) = (context.clock.now(), context, Latest<Taken>())
        let detail = EventDetail(actor: "system", reason: "no number: \(reason)")
        var delivery = Delivery(.retry(after: nil), note: reason)
        delivery.givenUp = { tx in
            taken.set(try context.take(.unresolved, about: payment, merchant: merchant, detail: detail, at: now, in: tx))
        }
        delivery.committed = { context.tell(taken.value) }
        return delivery
    }
}
