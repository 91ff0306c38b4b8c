import ApplePay

/// What the network sent has to be what is on the card: its network and its expiry.
package struct AccountDataRule: DecisionRule {
    package init() {}

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard let card = request.card else { return [] }
        var objections: [DecisionObjection] = []
        if card.network != request.network { objections.append(.init(.red, .networkMismatch)) }
        if !card.expiryMatches { objections.append(.init(.red, .expiryMismatch)) }
        return objections
    }
}
