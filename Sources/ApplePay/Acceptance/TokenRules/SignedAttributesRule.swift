import PaymentCrypto

/// Step 8 (apple-pay.md#signed-bytes): a token without signed attributes is refused: its signing time and digest would be anybody's
/// claim. [V]
public struct SignedAttributesRule: TokenRule {
    public let code = ApplePayError.Code.signedAttributesMissing

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signer = subject.signer else { return .notReached }
        return signer.signedAttributes != nil ? .passed : .refused("the signer has no signed attributes")
    }
}
