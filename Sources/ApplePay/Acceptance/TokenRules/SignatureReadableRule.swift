import PaymentCrypto

/// Step 2: the signature is a CMS SignedData. Real ones use indefinite-length BER. [V]
public struct SignatureReadableRule: TokenRule {
    public let code = ApplePayError.Code.signatureUnreadable

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        switch subject.signedData {
        case .success: .passed
        case .failure(let error): .refused("the signature is no CMS SignedData: \(error.reason)")
        }
    }
}
