public import Foundation

/// What the wallet recommends for one request.
public struct ProvisioningRecommendation: Sendable, Hashable {
    public var outcome: ProvisioningOutcome
    public var reasons: [ProvisioningReason]
    public var deviceScore: ProvisioningScore?
    public var accountScore: ProvisioningScore?
    public var phoneNumberScore: ProvisioningScore?
    public var source: CardNumberSource?

    public init(
        outcome: ProvisioningOutcome, reasons: [ProvisioningReason], deviceScore: ProvisioningScore? = nil,
        accountScore: ProvisioningScore? = nil, phoneNumberScore: ProvisioningScore? = nil, source: CardNumberSource? = nil
    ) {
        self.outcome = outcome
        self.reasons = reasons
        self.deviceScore = deviceScore
        self.accountScore = accountScore
        self.phoneNumberScore = phoneNumberScore
        self.source = source
    }

    /// The wallet's side: high risk is declined, any other reason asks for verification, and none approves.
    public init(
        _ facts: ProvisioningFacts, source: CardNumberSource, at instant: Date, thresholds: ReasonThresholds = .init()
    ) {
        let reasons = facts.reasons(at: instant, thresholds: thresholds)
        let outcome: ProvisioningOutcome =
            reasons.contains(.highRisk) ? .declined : reasons.isEmpty ? .approved : .requireAdditionalAuthentication
        self.init(
            outcome: outcome, reasons: reasons, deviceScore: facts.deviceScore, accountScore: facts.accountScore,
            phoneNumberScore: facts.phoneNumberScore, source: source)
    }

    /// The colour that the recommendation alone asks for: approved is green, high risk orange, declined red, the rest yellow
    /// (provisioning.md#colours [O]).
    public var colour: DecisionColour {
        if outcome == .approved { return .green }
        if reasons.contains(.highRisk) { return .orange }
        return outcome == .declined ? .red : .yellow
    }
}
