/// Where a payment stands, as a pure machine: an event gives the next state and what follows from it.
enum HoldState: String, Sendable, CaseIterable {
    /// Submitted: the money is set aside until the gateway's word is known.
    case held
    /// The gateway took it.
    case captured
    /// The gateway refused it.
    case released

    enum Event: String, Sendable, CaseIterable {
        case accepted
        case refused
    }

    enum Step: Sendable, Hashable {
        case move(HoldState, booking: WalletPostings)
        /// Heard before: nothing follows.
        case known
        /// The gateway now says the opposite of what it said: nothing moves, a person has to look.
        case contradiction
    }

    func apply(_ event: Event) -> Step {
        switch (self, event) {
        case (.held, .accepted): .move(.captured, booking: .capture)
        case (.held, .refused): .move(.released, booking: .release)
        case (.captured, .accepted), (.released, .refused): .known
        case (.captured, .refused), (.released, .accepted): .contradiction
        }
    }
}
