public import BillfoldPayments
public import BillfoldStorage

/// A refund of a payment, whole or in part.
public struct AcquirerRefund: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The wallet was asked, or is about to be: neither done nor failed.
        case processing
        /// The wallet has given the money back, and it is booked.
        case success
        /// The wallet refused. What was reserved is free again.
        case failed
    }

    public var acquirer: MerchantID
    /// The acquirer's key of it.
    public var requestID: String
    /// Our number of it, and the wallet's key of it.
    public var id: TimeOrderedID
    public var payment: TimeOrderedID
    public var state: State
    /// What goes back.
    public var part: CollectionMoney.Part
    public var reason: String
    /// Why it failed: a documented result's code.
    public var failure: String?
    public var createdAt: Timestamp
    public var doneAt: Timestamp?
}
