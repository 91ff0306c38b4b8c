import Foundation

/// Step 9 (apple-pay.md#freshness-and-replay), the other direction: not signed later than now, but for the allowance for clock skew. [I]
public struct FutureRule: TokenRule {
    public let code = ApplePayError.Code.tokenFromFuture

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signingTime = subject.signingTime else { return .notReached }
        guard case .window(let instant) = subject.age else { return .passed }
        let ahead = signingTime.timeIntervalSince(instant)
        return ahead <= subject.freshness.skew ? .passed : .refused("signed \(Int(ahead)) seconds from now")
    }
}
