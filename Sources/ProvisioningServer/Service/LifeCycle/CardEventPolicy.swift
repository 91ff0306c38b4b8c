/// What becomes of a card's tokens (the policy examples of provisioning.md#card-events [O]).
package struct CardEventPolicy: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case act(ProvisioningAction, ProvisioningActionReason)
        /// Tokens that were suspended with the card, and that nothing else holds, are resumed.
        case release(ProvisioningActionReason)
        /// Every token moves to the card's new number, or gets its new expiry; devices keep theirs.
        case moveToNewNumber
        /// The tokens stay as they are: those of a lost or stolen card wait for its new number.
        case keep
    }

    package init() {}

    /// What an event is followed by.
    package func step(after event: CardEvent) -> Step {
        switch event {
        case .blocked: .act(.suspend, .other)
        case .unblocked: .release(.other)
        case .lost, .stolen: .keep
        case .closed: .act(.delete, .closed)
        case .fraudClosure: .act(.delete, .fraud)
        case .replaced, .expiryChanged: .moveToNewNumber
        }
    }
}
