import ApplePay

/// While a programme is being tested, only listed pairs of card and secure element are let in (provisioning.md#test-phase [O]).
package struct AllowListRule: DecisionRule {
    package var isTestPhase: Bool

    package init(isTestPhase: Bool) { self.isTestPhase = isTestPhase }

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        guard isTestPhase, let card = request.card, !card.isOnAllowList else { return [] }
        return [.init(.red, .notOnAllowList)]
    }
}
