package import ApplePay

/// Bounds how often a card comes back to one secure element: at most 3 times in 30 days and 5 times in 6 months
/// (provisioning.md#issuer-rules [O]). That the pair is counted, and the first time is none, is inferred [I].
public struct ReprovisioningRule: Sendable {
    /// How often within how many days.
    public struct Limit: Sendable, Hashable {
        package var count: Int
        package var days: Int

        public init(count: Int, days: Int) {
            self.count = count
            self.days = days
        }
    }

    package var limits: [Limit]
    package var colour: DecisionColour

    package init(limits: [Limit] = usual, colour: DecisionColour = .red) {
        self.limits = limits
        self.colour = colour
    }

    package static let usual = [Limit(count: 3, days: 30), Limit(count: 5, days: 183)]
}
