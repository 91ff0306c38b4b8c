/// Where a checkout stands, as a pure machine.
enum CheckoutState: String, Sendable, CaseIterable {
    /// The customer looks, logs in, chooses.
    case open
    /// The payment is under way; nothing that the customer does changes it any more.
    case submitted
    /// The result is known.
    case ended

    enum Event: String, Sendable, CaseIterable {
        case submitted
        /// The gateway's word on the order is known.
        case settled
        /// The customer went away.
        case closed
    }

    /// The next state; `nil` where the event changes nothing.
    func apply(_ event: Event) -> CheckoutState? {
        switch (self, event) {
        case (.open, .submitted): .submitted
        case (.open, .settled), (.open, .closed), (.submitted, .settled): .ended
        case (.submitted, .submitted), (.submitted, .closed), (.ended, _): nil
        }
    }
}
