import PaymentCrypto

/// Step 9 (apple-pay.md#freshness-and-replay): an absent signing time is a refusal.
public struct SigningTimeRule: TokenRule {
    public let code = ApplePayError.Code.signingTimeMissing

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let attributes = subject.signer?.signedAttributes else { return .notReached }
        return attributes.signingTime != nil ? .passed : .refused("the signingTime attribute is missing")
    }
}
