import ApplePay

/// A card stands in a limited number of devices at once.
public struct TokenCountRule: DecisionRule {
    /// Tokens of one card, this one included.
    public var limit: Int

    public init(limit: Int) { self.limit = limit }

    public func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard let card = request.card, card.otherTokens >= limit else { return [] }
        return [.init(.red, .tooManyTokens)]
    }
}
