/// What happened to a card at the bank.
package enum CardEvent: String, Sendable, Hashable, Codable, CaseIterable {
    case blocked, unblocked, lost, stolen, closed
    case fraudClosure = "fraud"
    /// The card has its new number.
    case replaced
    /// The card has its number still, and a new expiry.
    case expiryChanged = "expiry-changed"
}
