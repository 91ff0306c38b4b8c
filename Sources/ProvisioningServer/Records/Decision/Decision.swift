package import ApplePay

/// The issuer's vote and what led to it.
package struct Decision: Sendable, Hashable, Codable {
    package var colour: DecisionColour
    /// Every objection, the gravest first, each reason once.
    package var reasons: [DecisionReason]

    /// What the network is answered: orange and yellow both want the customer verified, orange by a person.
    package var outcome: ProvisioningOutcome { colour.outcome }
}
