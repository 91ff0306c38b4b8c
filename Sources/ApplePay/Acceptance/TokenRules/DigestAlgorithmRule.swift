import PaymentCrypto

/// Step 2 (apple-pay.md#signature-form): SHA-256, with or without NULL parameters; both occur. [V]
public struct DigestAlgorithmRule: TokenRule {
    public let code = ApplePayError.Code.digestAlgorithm

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signer = subject.signer, let signedData = subject.readable else { return .notReached }
        guard signedData.digestAlgorithms.allSatisfy({ $0 == .sha256 }) else {
            return .refused("the message lists other digest algorithms")
        }
        return signer.digestAlgorithm == .sha256 ? .passed : .refused("the digest algorithm is \(signer.digestAlgorithm), not SHA-256")
    }
}
