import Foundation

/// Step 9 (apple-pay.md#freshness-and-replay): signed at most five minutes ago [D], plus the allowance for clock skew.
public struct StaleRule: TokenRule {
    public let code = ApplePayError.Code.tokenStale

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signingTime = subject.signingTime else { return .notReached }
        guard case .window(let instant) = subject.age else { return .passed }
        let age = instant.timeIntervalSince(signingTime)
        return age <= subject.freshness.maximumAge + subject.freshness.skew ? .passed : .refused("signed \(Int(age)) seconds ago")
    }
}
