package import BillfoldPayments
package import BillfoldStorage

/// A refund of a payment, whole or in part.
package struct AcquirerRefund: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// The wallet was asked, or is about to be: neither done nor failed.
        case processing
        /// The wallet has given the money back, and it is booked.
        case success
        /// The wallet refused. What was reserved is free again.
        case failed
    }

    package var acquirer: MerchantID
    /// The acquirer's key of it.
    package var requestID: String
    /// Our number of it, and the wallet's key of it.
    package var id: TimeOrderedID
    package var payment: TimeOrderedID
    package var state: State
    /// What goes back.
    package var part: CollectionMoney.Part
    package var reason: String
    /// Why it failed: a documented result's code.
    package var failure: String?
    package var createdAt: Timestamp
    package var doneAt: Timestamp?
}
