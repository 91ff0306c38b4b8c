import ApplePay

extension DecisionPolicy {
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

extension Decision {
    /// Counts votes: one red is red, then one orange is orange, then one yellow is yellow (provisioning.md#colours).
    package init(_ objections: [DecisionObjection]) {
        colour = DecisionColour.decided(by: [.green] + objections.map(\.colour))
        var told: Set<DecisionReason> = []
        reasons = DecisionColour.allCases.reversed().flatMap { colour in objections.filter { $0.colour == colour } }
            .map(\.reason).filter { told.insert($0).inserted }
    }
}
