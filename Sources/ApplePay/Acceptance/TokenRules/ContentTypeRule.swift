import PaymentCrypto

/// Step 8 (apple-pay.md#signed-bytes): the signed content type is plain data, inside and outside the attributes (RFC 5652 section 11.1).
public struct ContentTypeRule: TokenRule {
    public let code = ApplePayError.Code.contentType

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let signedData = subject.readable, let attributes = subject.signer?.signedAttributes else { return .notReached }
        guard signedData.contentType == .cmsData else { return .refused("the content is \(signedData.contentType), not data") }
        guard let signed = attributes.contentType else { return .refused("the contentType attribute is missing") }
        return signed == .cmsData ? .passed : .refused("the contentType attribute is \(signed), not data")
    }
}
