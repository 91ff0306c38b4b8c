/// What becomes of a card's tokens (the policy examples of provisioning.md#card-events [O]).
package struct CardEventPolicy: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case act(ProvisioningAction, ProvisioningActionReason)
        /// Every token moves to the card's new number; devices keep theirs.
        case moveToNewNumber
        /// The tokens stay as they are: those of a lost or stolen card wait for its new number.
        case keep
    }

    package init() {}

    package func step(after event: CardEvent) -> Step {
        switch event {
        case .blocked: .act(.suspend, .other)
        case .unblocked: .act(.resume, .other)
        case .lost, .stolen: .keep
        case .closed: .act(.delete, .closed)
        case .fraudClosure: .act(.delete, .fraud)
        case .replaced: .moveToNewNumber
        }
    }
}
