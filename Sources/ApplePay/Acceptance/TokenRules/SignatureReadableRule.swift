import PaymentCrypto

/// Step 2: the signature is a CMS SignedData, with the version numbers that RFC 5652 gives to what it holds. Real ones use
/// indefinite-length BER. [V]
public struct SignatureReadableRule: TokenRule {
    public let code = ApplePayError.Code.signatureUnreadable

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        let signedData: SignedData
        switch subject.signedData {
        case .success(let value): signedData = value
        case .failure(let error): return .refused("the signature is no CMS SignedData: \(error.reason)")
        }
        for signer in signedData.signers {
            // Section 5.3: 1 for issuer and serial number, 3 for a key identifier; section 5.1: the message follows its signer.
            let version =
                switch signer.identifier {
                case .issuerAndSerialNumber: 1
                case .subjectKeyIdentifier: 3
                }
            guard signer.version == version, signedData.version == version else {
                return .refused("the signature's version does not fit its signer")
            }
        }
        return .passed
    }
}
