import Crypto
import PaymentCrypto

/// Steps 6 and 8 (apple-pay.md#signed-bytes): the messageDigest attribute is SHA-256 of the bytes rebuilt from the token.
public struct MessageDigestRule: TokenRule {
    public let code = ApplePayError.Code.messageDigestMismatch

    public func outcome(_ subject: TokenUnderCheck) -> TokenRuleOutcome {
        guard let attributes = subject.signer?.signedAttributes else { return .notReached }
        guard let digest = attributes.messageDigest else { return .refused("the messageDigest attribute is missing") }
        return digest.elementsEqual(SHA256.hash(data: subject.signedContent))
            ? .passed : .refused("the messageDigest attribute is not the digest of the token's bytes")
    }
}
