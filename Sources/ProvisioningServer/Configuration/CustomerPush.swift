/// Something that the bank's app shows, to a customer who need not have it open.
package struct CustomerPush: Sendable, Hashable {
    /// How a push ended.
    package enum Outcome: Sendable, Hashable {
        case taken
        /// The customer has no device with the bank's app: another way is taken.
        case noDevice
    }

    /// Stable over all attempts, so that the receiver can drop a second copy.
    package var id: String
    package var customer: String
    package var card: String
    /// A language tag (BCP 47).
    package var language: String
    /// For example `token suspended` or `card transaction`.
    package var subject: String
    package var text: String
}

/// Brings pushes to the devices of a bank's customers.
package protocol CustomerPusher: Sendable {
    /// Returns once the push was taken over. Whoever takes the same id twice must not show it twice.
    func send(_ push: CustomerPush) async throws(MessageFailure) -> CustomerPush.Outcome
}
