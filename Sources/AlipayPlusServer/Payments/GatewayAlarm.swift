public import BillfoldPayments
public import BillfoldStorage

/// Something about a payment that waits for a person.
public struct GatewayAlarm: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A wallet neither cancels nor refunds what it collected in vain.
        case legStuck = "leg-stuck"
        /// A wallet says that it collected another amount than it was asked for. Nothing is booked.
        case amountDiffers = "amount-differs"
        /// A wallet refuses to refund what the acquirer has refunded.
        case refundRefused = "refund-refused"
    }

    public var acquirer: MerchantID
    public var payment: TimeOrderedID
    /// The leg or the refund.
    public var subject: TimeOrderedID
    public var kind: Kind
    public var note: String
    public var raisedAt: Timestamp
}
