public import BillfoldStorage

extension PaymentStore {
    /// What is known of a payment whose row was lost: it was sent.
    static let evidenceOfRestored: PaymentEvidence = [.authorised, .submitted]

    /// Stores a payment whose row is lost, as one that was sent; apply next what its acquirer says of it.
    ///
    /// A payment that is there is returned as it is, so that it may be repeated. Its order must be there. Where another attempt is live on
    /// the order, the shopper may have paid twice, and an alarm calls a person.
    ///
    /// - Throws: ``PaymentsError/Code/externalKeyTaken`` where the id stands for another message.
    public func restore(_ draft: Payment, detail: EventDetail, at now: Timestamp, in tx: any Transaction) throws -> Payment {
        if let known = try PaymentRecords.find(draft.id, merchant: draft.merchant, in: tx) {
            guard known.externalKey == draft.externalKey else {
                throw PaymentsError(code: .externalKeyTaken, reason: "another message of the acquirer's carries this id")
            }
            return known
        }
        var payment = draft
        payment.standing.evidence = Self.evidenceOfRestored
        payment.reason = detail.reason
        let isAlone = try OrderRecords.reclaim(payment.id, order: payment.order, merchant: payment.merchant, in: tx)
        if !isAlone { payment.alarm = .paidTwice }
        var following = [link("restored", from: .created, payment: &payment, detail: detail, at: now)]
        following.append(OrderRecords.countAttempt(order: payment.order, merchant: payment.merchant))
        if !isAlone { following.append(AlarmRecords.raising(.paidTwice, payment: payment, note: detail.reason ?? "restored", at: now)) }
        try PaymentRecords.insert(payment, in: tx)
        try tx.executeBatch(following)
        if !isAlone { try follower?.changed(payment, from: payment.standing, raising: [.paidTwice], at: now, in: tx) }
        return payment
    }
}
