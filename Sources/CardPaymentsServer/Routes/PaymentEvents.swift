import BillfoldEvents
import BillfoldJSON
package import BillfoldPayments
package import BillfoldStorage

/// Stores what a merchant's back end is told: each event in the write that changes the payment, with what the API says of it from then on.
package struct PaymentEvents: PaymentFollower {
    let identifiers: IdentifierSource

    package init(identifiers: IdentifierSource) { self.identifiers = identifiers }

    package func changed(
        _ payment: Payment, from old: PaymentStanding, raising alarms: [PaymentTransition.Alarm], at now: Timestamp, in tx: any Transaction
    ) throws {
        let type = Self.type(of: payment, from: old)
        guard type != nil || !alarms.isEmpty else { return }
        let view = try Self.view(payment, in: tx)
        if let type { try append(type, of: payment, JSONDocument.encode(view), at: now, in: tx) }
        for alarm in alarms {
            try append(.alarmRaised, of: payment, JSONDocument.encode(AlarmView(alarm: alarm.rawValue, payment: view)), at: now, in: tx)
        }
    }

    package func changed(_ modification: Modification, at now: Timestamp, in tx: any Transaction) throws {
        guard let type = EventType.named("\(modification.kind.rawValue).\(modification.state.rawValue)") else { return }
        try EventRecords.append(
            type, of: .init(modification.kind.rawValue, id: modification.id.description),
            data: JSONDocument.encode(CardPaymentsService.view(of: modification, in: tx)), owner: modification.merchant,
            id: identifiers.next(at: now), at: now, in: tx)
    }

    package func settled(
        _ alarm: PaymentTransition.Alarm, of payment: TimeOrderedID, merchant: BillfoldPayments.MerchantID, at now: Timestamp,
        in tx: any Transaction
    ) throws {
        guard let payment = try PaymentRecords.find(payment, merchant: merchant, in: tx) else { return }
        let view = AlarmView(alarm: alarm.rawValue, payment: try Self.view(payment, in: tx))
        try append(.alarmSettled, of: payment, JSONDocument.encode(view), at: now, in: tx)
    }

    private func append(_ type: EventType, of payment: Payment, _ data: [UInt8], at now: Timestamp, in tx: any Transaction) throws {
        try EventRecords.append(
            type, of: .init("payment", id: payment.id.description), data: data, owner: payment.merchant, id: identifiers.next(at: now),
            at: now, in: tx)
    }

    private static func view(_ payment: Payment, in tx: any Transaction) throws -> MerchantPaymentView {
        MerchantPaymentView(listed: try CardPaymentsService.listed(payment, in: tx))
    }

    private struct AlarmView: Encodable {
        var alarm: String
        var payment: MerchantPaymentView
    }

    /// The event that a change is; nil where it is none for others.
    private static func type(of payment: Payment, from old: PaymentStanding) -> EventType? {
        let standing = payment.standing
        guard standing.state != old.state || standing.refunded != old.refunded else { return nil }
        switch standing.state {
        // What is being taken back is not to be delivered: its alarm says so, and how it ends comes later.
        case .succeeded: return standing.isToBeUndone ? nil : .paymentSucceeded
        case .failed: return .paymentFailed
        case .unknown: return .paymentUnknown
        case .partlyRefunded: return .paymentPartlyRefunded
        case .refunded: return .paymentRefunded
        case .reversed: return .paymentReversed
        case .closed: return .paymentClosed
        case .created, .authorised, .submitted, .accepted: return nil
        }
    }
}
