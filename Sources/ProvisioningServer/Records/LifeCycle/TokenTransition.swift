/// What one message of the network's means for a token, given what is known of it.
///
/// Pure: the services store the result and tell the customer.
package struct TokenTransition: Sendable, Hashable {
    package enum Effect: String, Sendable, Hashable, CaseIterable {
        /// The token is new to us.
        case appeared
        case moved
        /// Newer, and the same state.
        case confirmed
        /// Told before, or overtaken by something newer.
        case stale
        /// Contradicts the deletion, which stands.
        case contradictsDeletion
    }

    package var effect: Effect
    /// What is known from now on.
    package var snapshot: TokenSnapshot

    package init(taking told: TokenSnapshot, after known: TokenSnapshot?) {
        guard let known else {
            self.init(.appeared, told)
            return
        }
        if known.state == .deleted, told.state != .deleted {
            self.init(told.sequence > known.sequence ? .contradictsDeletion : .stale, known)
        } else if told.isAfter(known) {
            self.init(told.state == known.state && told.suspendedBy == known.suspendedBy ? .confirmed : .moved, told)
        } else {
            self.init(.stale, known)
        }
    }

    private init(_ effect: Effect, _ snapshot: TokenSnapshot) {
        self.effect = effect
        self.snapshot = snapshot
    }

    /// Whether the stored row changes.
    package var isNews: Bool { effect == .appeared || effect == .moved || effect == .confirmed }
}
