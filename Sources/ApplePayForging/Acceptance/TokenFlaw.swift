public import ApplePay

/// What may be done to a composed token (apple-pay.md#simulation): attacks, and the mistakes of other implementations.
///
/// Flaws of the certificates are ``ChainFlaw``; a signing time in the past or the future is a matter of the plan's
/// `signingTime`.
public enum TokenFlaw: String, Sendable, Hashable, Codable, CaseIterable {
    /// The signature carries the token's own bytes inside: unusual and valid.
    case embeddedContent = "embedded-content"
    /// The signature carries other bytes, as a replayed one would.
    case embeddedOtherContent = "embedded-other-content"
    case noSignedAttributes = "no-signed-attributes"
    case noSigningTime = "no-signing-time"
    /// Another key than the leaf's makes the signature.
    case signedByStranger = "signed-by-stranger"
    /// The shared secret starts with a zero byte: valid, and the bane of careless implementations.
    case leadingZeroSecret = "leading-zero-secret"
    /// The shared secret's leading zeros were dropped before derivation.
    case trimmedSecret = "trimmed-secret"
    /// The signature covers the hex text of applicationData instead of its bytes.
    case applicationDataAsHexText = "application-data-as-hex-text"
    case applicationDataAsBase64Text = "application-data-as-base64-text"
    /// The signature leaves applicationData out.
    case applicationDataOmitted = "application-data-omitted"
    case oaepSHA1 = "oaep-sha1"
    /// OAEP with SHA-256 and MGF1 with SHA-1, the default of many libraries.
    case oaepMaskSHA1 = "oaep-mask-sha1"
    case oaepHashSHA1 = "oaep-hash-sha1"
    /// The signature carries the leaf's certificate alone.
    case noIntermediate = "no-intermediate"
    case flippedData = "flipped-data"
    case flippedTag = "flipped-tag"
    case flippedKey = "flipped-key"
    case flippedTransactionId = "flipped-transaction-id"
    case flippedApplicationData = "flipped-application-data"
    case flippedSignature = "flipped-signature"
    case otherPublicKeyHash = "other-public-key-hash"
    /// Encrypted to another key than the one that publicKeyHash names.
    case encryptedToOtherKey = "encrypted-to-other-key"
    /// The outer identifier in upper case: valid, seen in a real sample. [V]
    case upperCaseTransactionIdentifier = "upper-case-transaction-identifier"
    /// The attribute of RFC 6211 is left out, as in 2014: valid. [V]
    case noAlgorithmProtection = "no-algorithm-protection"
    /// Digest algorithms without NULL parameters: valid. [V]
    case digestWithoutNull = "digest-without-null"
    case emptyPaymentData = "empty-payment-data"
    /// The signature is stripped: an empty text where it was.
    case noSignature = "no-signature"
    /// Key and data were replaced after signing, by whoever knows the merchant's public key: it opens, and nobody signed it.
    case substitutedKey = "substituted-key"
    /// The certificates beside the signature include the root: valid, and no reason to believe it.
    case bundledRoot = "bundled-root"

    /// Whether a correct merchant still accepts the token.
    public var isHarmless: Bool {
        switch self {
        case .embeddedContent, .leadingZeroSecret, .upperCaseTransactionIdentifier, .noAlgorithmProtection, .digestWithoutNull,
            .bundledRoot:
            true
        default: false
        }
    }

    /// The one version that has what this flaw is about; `nil` when both have it.
    public var onlyVersion: PaymentToken.Version? {
        switch self {
        case .signedByStranger, .leadingZeroSecret, .trimmedSecret, .encryptedToOtherKey: .ecV1
        case .oaepSHA1, .oaepMaskSHA1, .oaepHashSHA1: .rsaV1
        default: nil
        }
    }
}
