import PaymentCrypto

/// Step 8 (apple-pay.md#signed-bytes): ecdsa-with-SHA256 for an EC leaf, PKCS#1 v1.5 with SHA-256 for an RSA leaf. The key decides, not
/// the message.
public struct SignatureAlgorithmRule: TokenRule {
    public let code = ApplePayError.Code.signatureAlgorithm

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signer = subject.signer, let leaf = subject.leaf else { return .notReached }
        guard let key = try? leaf.publicKey else { return .refused("the leaf's key is not supported") }
        let expected: SignatureAlgorithm =
            switch key.kind {
            case .p256, .p384: .ecdsaSHA256
            case .rsa: .rsaPKCS1SHA256
            }
        return signer.signatureAlgorithm == expected
            ? .passed : .refused("the signature algorithm is \(signer.signatureAlgorithmOID), the leaf's key needs \(expected.rawValue)")
    }
}
