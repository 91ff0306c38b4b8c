package import ApplePay

/// The wallet's single reasons that a programme takes seriously even where the wallet approves.
package struct RiskReasonRule: DecisionRule {
    /// Reasons that speak for a request (provisioning.md#reasons [O]).
    static let favourable: Set<String> = ["LONG_ACCOUNT_TENURE", "GOOD_ACTIVITY_HISTORY", "ADDITIONAL_DEVICE", "SOFTWARE_UPDATE"]

    package var colours: [ProvisioningReason: DecisionColour]

    package init(colours: [ProvisioningReason: DecisionColour]) { self.colours = colours }

    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        var objections = request.recommendation.reasons.compactMap { reason -> DecisionObjection? in
            guard let colour = colours[reason], colour > .green else { return nil }
            return DecisionObjection(colour, reason == .outsideHomeTerritory ? .outsideHomeTerritory : .walletRiskReason)
        }
        // Whoever names a reason that nobody here knows may mean a new risk.
        if !Self.favourable.isSuperset(of: request.otherReasons) { objections.append(.init(.yellow, .walletRiskReason)) }
        return objections
    }
}
