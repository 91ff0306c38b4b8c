import ApplePay

extension ScoreRule: DecisionRule {
    package func objections(to request: DecisionInputs) -> [DecisionObjection] {
        let value =
            switch score {
            case .account: request.recommendation.accountScore
            case .device: request.recommendation.deviceScore
            case .phoneNumber: request.recommendation.phoneNumberScore
            }
        guard let value else { return [] }
        if value.value <= thresholds.red { return [.init(.red, score.reason)] }
        return value.value <= thresholds.yellow ? [.init(.yellow, score.reason)] : []
    }
}

extension ScoreRule.Score {
    var reason: DecisionReason {
        switch self {
        case .account: .accountScoreLow
        case .device: .deviceScoreLow
        case .phoneNumber: .phoneNumberScoreLow
        }
    }
}
