import ApplePay

/// A card stands in a limited number of devices at once.
package struct TokenCountRule: DecisionRule {
    /// Tokens of one card, this one included.
    package var limit: Int

    package init(limit: Int) { self.limit = limit }

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard let card = request.card, card.otherTokens >= limit else { return [] }
        return [.init(.red, .tooManyTokens)]
    }
}
