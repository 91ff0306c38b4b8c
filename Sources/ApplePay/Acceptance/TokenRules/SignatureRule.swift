import PaymentCrypto

/// Step 8 (apple-pay.md#signed-bytes): the leaf's key signed the attributes, re-encoded as a SET.
public struct SignatureRule: TokenRule {
    public let code = ApplePayError.Code.signatureMismatch

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signer = subject.signer, signer.signedAttributes != nil, let leaf = subject.leaf, let key = try? leaf.publicKey else {
            return .notReached
        }
        return signer.isSignatureValid(by: key) ? .passed : .refused("the leaf's key did not make the signature")
    }
}
