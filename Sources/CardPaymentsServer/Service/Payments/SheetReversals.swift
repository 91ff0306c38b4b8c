import BillfoldPayments
import BillfoldStorage

/// How a payment is undone whose outcome is not known.
extension ServiceContext {
    /// Undoes a payment whose outcome is not known when its sheet has to close, where policy says so. Returns the payment as it is
    /// then.
    func closeSheet(
        of id: TimeOrderedID, merchant: MerchantProfile, at now: Timestamp, in tx: any Transaction
    ) throws -> Payment {
        guard let payment = try PaymentRecords.find(id, merchant: merchant.id, in: tx) else {
            throw CardPaymentsError(code: .paymentNotFound, reason: "the payment is gone")
        }
        // Once: where a reversal came to nothing, a person has been called.
        guard !payment.state.isSettled, pendingPolicy(of: merchant) == .failAndReverse, payment.reserved == 0,
            !payment.standing.evidence.contains(.undoWanted)
        else { return payment }
        do {
            try beginReversal(of: payment, merchant: merchant, by: "system", at: now, in: tx)
        } catch let error as PaymentsError where error.code == .wrongState {
            // It has settled, or somebody else reverses it, since it was read: what is true now is the answer.
        }
        return try PaymentRecords.find(id, merchant: merchant.id, in: tx) ?? payment
    }

    /// Undoes a payment whose outcome is not known, and takes its message back where it has not left.
    @discardableResult
    func beginReversal(
        of payment: Payment, merchant: MerchantProfile, id: TimeOrderedID? = nil, by actor: String, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Modification {
        // Its customer may be paying it now, and nothing says that a pushed order can be reversed (unionpay-tn.md#undoing [I]).
        guard try PaymentDetail(payment.detail).pushed != true else {
            throw PaymentsError(code: .wrongState, reason: "the order was handed to its customer: wait for the outcome, or its time limit")
        }
        let id = id ?? issued.next(at: now, for: merchant.id)
        let modification = Modification(
            merchant: merchant.id, id: id, payment: payment.id, kind: .reversal, amount: payment.amount,
            externalKey: "\(payment.externalKey)/99/\(id)", reason: "not settled in time", at: now)
        let message = try messages.reversal(of: payment, merchant: merchant)
        let row = try messages.row(.reversal, message, subject: id, version: 1, merchant: merchant, lease: .zero, at: now)
        let begun = try store.begin(
            modification, detail: EventDetail(actor: actor, reason: "reversal"), queryAfter: .seconds(60), at: now, message: { _ in row },
            in: tx)
        try OutboxRecords.withdraw(payment.id, merchant: merchant.id, in: tx)
        return begun
    }
}
