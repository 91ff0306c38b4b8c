import ApplePay

/// Only a card that may pay gets a token.
package struct CardStatusRule: DecisionRule {
    package init() {}

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        switch request.card?.status {
        case nil: [.init(.red, .cardUnknown)]
        case .active: []
        case .blocked: [.init(.red, .cardBlocked)]
        case .closed: [.init(.red, .cardClosed)]
        }
    }
}
