package import BillfoldPayments
package import BillfoldStorage

/// Something about a payment that waits for a person.
package struct AcquirerPaymentAlarm: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A wallet neither cancels nor refunds what it collected in vain.
        case legStuck = "leg-stuck"
        /// A wallet says that it collected another amount than it was asked for. Nothing is booked.
        case amountDiffers = "amount-differs"
        /// A wallet refuses to refund what the acquirer has refunded.
        case refundRefused = "refund-refused"
    }

    package var acquirer: MerchantID
    package var payment: TimeOrderedID
    /// The leg or the refund.
    package var subject: TimeOrderedID
    package var kind: Kind
    package var note: String
    package var raisedAt: Timestamp
}
