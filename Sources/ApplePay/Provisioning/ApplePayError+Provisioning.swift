extension ApplePayError.Code {
    // The callback's challenge (provisioning.md#nonce).
    /// The nonce has not 4 bytes.
    public static let nonceLength = Self("nonce-length")
    /// The signature over the nonce has not 81 bytes.
    public static let nonceSignatureLength = Self("nonce-signature-length")
    /// The nonce or its signature is no text of the promised encoding.
    public static let challengeEncoding = Self("challenge-encoding")

    // The payload (provisioning.md#pass-data).
    /// A member of the payload is missing, ill-typed, unknown or of a wrong form.
    public static let malformedPassData = Self("malformed-pass-data")
    /// The card number is not 13 to 19 digits.
    public static let cardNumberForm = Self("card-number-form")
    /// The expiration is not `MM/YY`.
    public static let expirationForm = Self("expiration-form")
    public static let cardholderNameForm = Self("cardholder-name-form")

    // The outer layer (provisioning.md#ecc_v2).
    /// The leaf's key is of another kind than the encryption scheme needs.
    public static let leafKeyKind = Self("leaf-key-kind")
    /// The ephemeral public key is no uncompressed point of 65 bytes on the curve.
    public static let ephemeralPublicKeyForm = Self("ephemeral-public-key-form")
    /// The payload could not be sealed.
    public static let sealingFailed = Self("sealing-failed")

    // The chain (provisioning.md#chain-checks); what every chain must satisfy keeps the names that the chain checker gives it.
    public static let certificateUnreadable = Self("certificate-unreadable")
    /// Not exactly one certificate has the marker of a leaf.
    public static let leafCount = Self("leaf-count")
    public static let chainLength = Self("chain-length")
    public static let intermediateName = Self("intermediate-name")
    public static let keyEnciphermentMissing = Self("key-encipherment-missing")
    /// A certificate is neither part of the chain nor a root.
    public static let unexpectedCertificate = Self("unexpected-certificate")

    // Visa's inner layer (provisioning.md#visa-text).
    public static let visaKeySetForm = Self("visa-key-set-form")
    /// The text is not seven fields joined by hyphens.
    public static let visaTextForm = Self("visa-text-form")
    /// The text is `MBPAD` where `MBPAC` is due, or the other way round.
    public static let visaTextType = Self("visa-text-type")
    /// The data is no even number of hexadecimal digits that fill blocks of 8 bytes.
    public static let visaDataForm = Self("visa-data-form")
    /// What was decrypted has not the layout of a block: a wrong key or a wrong block.
    public static let visaBlockForm = Self("visa-block-form")
    /// The block's clear text has other members than its type prescribes.
    public static let visaClearText = Self("visa-clear-text")
    public static let authenticationCodeForm = Self("authentication-code-form")
    public static let authenticationCodeMismatch = Self("authentication-code-mismatch")
    /// The activation data was made for another nonce than the one of this callback.
    public static let activationNonceMismatch = Self("activation-nonce-mismatch")

    // Mastercard's authentication value (provisioning.md#authentication-value).
    public static let authenticationValueForm = Self("authentication-value-form")
    /// The timestamp is missing from the signed fields.
    public static let authenticationValueUndated = Self("authentication-value-undated")
    public static let authenticationValueExpired = Self("authentication-value-expired")
    /// The timestamp lies more than 30 days ahead.
    public static let authenticationValueTooLong = Self("authentication-value-too-long")
    public static let authenticationValueSignature = Self("authentication-value-signature")

    /// The key did not do its part: a hardware module that is away, or a key of another kind.
    public static let keyUnavailable = Self("key-unavailable")
}
