import BillfoldPayments
import BillfoldStorage

/// A logged-in customer's app, for a quarter of an hour.
struct AppSession: Sendable, Hashable {
    var id: TimeOrderedID
    var customer: String
    /// The bank's name for the device that the app runs on.
    var device: String
    /// Before the customer's cards were brought in for it.
    var createdAt: Timestamp
    var expiresAt: Timestamp
}
