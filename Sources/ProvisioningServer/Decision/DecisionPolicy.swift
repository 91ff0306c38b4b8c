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

    /// The rules in the order in which their reasons are told.
    package var rules: [any DecisionRule] {
        [
            CardStatusRule(), SwitchRule(), AccountDataRule(), TokenRequestorRule(known: tokenRequestors),
            AllowListRule(isTestPhase: isTestPhase), LostDeviceRule(), TokenCountRule(limit: tokensPerCard),
            ReprovisioningRule(limits: reprovisionings), ReviewRule(days: reviewDays), RecommendationRule(),
            ScoreRule(.account, accountScore), ScoreRule(.device, deviceScore),
            ScoreRule(.phoneNumber, phoneNumberScore), RiskReasonRule(colours: riskReasons), ActivationRule(isRequired: requiresActivation),
        ]
    }

    package func decide(_ request: DecisionInputs) -> Decision { Decision(rules.flatMap { $0.objections(to: request) }) }
}

/// The issuer's vote and what led to it.
package struct Decision: Sendable, Hashable, Codable {
    package var colour: DecisionColour
    /// Every objection, the gravest first, each reason once.
    package var reasons: [DecisionReason]

    /// Counts votes: one red is red, then one orange is orange, then one yellow is yellow (provisioning.md#colours).
    package init(_ objections: [DecisionObjection]) {
        colour = DecisionColour.decided(by: [.green] + objections.map(\.colour))
        var told: Set<DecisionReason> = []
        reasons = DecisionColour.allCases.reversed().flatMap { colour in objections.filter { $0.colour == colour } }
            .map(\.reason).filter { told.insert($0).inserted }
    }

    /// What the network is answered: orange and yellow both want the customer verified, orange by a person.
    package var outcome: ProvisioningOutcome { colour.outcome }
}
