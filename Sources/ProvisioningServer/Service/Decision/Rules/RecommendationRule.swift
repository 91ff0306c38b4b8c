import ApplePay

/// The wallet's own vote (provisioning.md#colours): high risk is orange, whatever else it says; a decline is red; what is not approved is
/// yellow.
package struct RecommendationRule: DecisionRule {
    package init() {}

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        // Approval of a high risk contradicts itself; the risk counts.
        if request.recommendation.reasons.contains(.highRisk) { return [.init(.orange, .walletHighRisk)] }
        let colour = request.recommendation.colour
        switch colour {
        case .green: return []
        case .yellow: return [.init(colour, .walletWantsVerification)]
        case .orange: return [.init(colour, .walletHighRisk)]
        case .red: return [.init(colour, .walletDeclined)]
        }
    }
}
