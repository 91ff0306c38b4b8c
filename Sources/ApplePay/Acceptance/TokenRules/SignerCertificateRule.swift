import PaymentCrypto

/// Step 3 (apple-pay.md#certificate-chain): the signer's certificate is among the embedded ones, found by issuer and serial number, not
/// by position.
public struct SignerCertificateRule: TokenRule {
    public let code = ApplePayError.Code.signerCertificateMissing

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard subject.signer != nil else { return .notReached }
        return subject.leaf != nil ? .passed : .refused("no embedded certificate has the signer's issuer and serial number")
    }
}
