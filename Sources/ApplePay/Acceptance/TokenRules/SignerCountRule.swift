import PaymentCrypto

/// Step 2 (apple-pay.md#signature-form): exactly one signerInfo, so that there is no choice of which to check.
public struct SignerCountRule: TokenRule {
    public let code = ApplePayError.Code.signerCount

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signedData = subject.readable else { return .notReached }
        return signedData.signers.count == 1 ? .passed : .refused("\(signedData.signers.count) signers instead of one")
    }
}
