import PaymentCrypto

/// Step 2 (apple-pay.md#signature-form): the signature is a CMS SignedData, with the version numbers that RFC 5652 gives to what it
/// holds. Real ones use indefinite-length BER [V] and name the signer as step 3 says.
public struct SignatureReadableRule: TokenRule {
    public let code = ApplePayError.Code.signatureUnreadable

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        let signedData: SignedData
        switch subject.signedData {
        case .success(let value): signedData = value
        case .failure(let error): return .refused("the signature is no CMS SignedData: \(error.reason)")
        }
        for signer in signedData.signers {
            guard case .issuerAndSerialNumber = signer.identifier else {
                return .refused("the signer is not named by issuer and serial number")
            }
            // Section 5.3: 1 for issuer and serial number; section 5.1: the message follows its signer.
            guard signer.version == 1, signedData.version == 1 else {
                return .refused("the signature's version does not fit its signer")
            }
        }
        return .passed
    }
}
