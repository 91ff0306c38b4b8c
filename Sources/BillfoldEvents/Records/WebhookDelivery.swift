package import BillfoldPayments
package import BillfoldStorage

/// One event on its way to one endpoint.
package struct WebhookDelivery: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Waits for its turn: an earlier event of the object, or others of the endpoint, are under way.
        case held
        /// Under way, or between two attempts.
        case waiting
        /// Taken by the endpoint.
        case settled
        /// Given up after the last attempt.
        case parked
        /// Taken back, because the endpoint is gone or was disabled.
        case withdrawn
    }

    package var owner: MerchantID
    /// The id of its message in the outbox.
    package var id: TimeOrderedID
    package var endpoint: TimeOrderedID
    package var event: TimeOrderedID
    package var state: State
    package var createdAt: Timestamp
    package var settledAt: Timestamp?
}
