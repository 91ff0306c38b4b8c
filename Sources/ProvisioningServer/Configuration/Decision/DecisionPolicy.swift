public import ApplePay

/// A programme's rules and their thresholds: what the bank answers a network by.
public struct DecisionPolicy: Sendable, Hashable {
    /// Whether only listed pairs of card and secure element are let in.
    public var isTestPhase = false
    /// Tokens that one card may have at once.
    public var tokensPerCard = 10
    public var reprovisionings = ReprovisioningRule.usual
    /// How many days the fraud team's refusals, and reviews that nobody decided, count for a card. [I]
    public var reviewDays = ReviewRule.usualDays
    /// Examples of provisioning.md#issuer-rules: account score 1 is refused, 2 is verified [O].
    public var accountScore = ScoreRule.Thresholds(red: 1, yellow: 2)
    /// Below 3 the wallet itself calls the score low (`0C`, `0H`).
    public var deviceScore = ScoreRule.Thresholds(red: 0, yellow: 2)
    public var phoneNumberScore = ScoreRule.Thresholds(red: 0, yellow: 2)
    /// The wallet's reasons that count even where it approves.
    public var riskReasons: [ProvisioningReason: DecisionColour] = [.outsideHomeTerritory: .yellow]
    /// A network without an entry takes any wallet.
    public var tokenRequestors = TokenRequestorRule.applePay
    /// Whether green takes activation data of the bank's app, or a low risk is enough (provisioning.md#colours).
    public var requiresActivation = true

    public init() {}
}
