public import BillfoldDiagnosis
public import PaymentCrypto

/// What the Apple Pay libraries refuse: a stable code for programs, a reason for engineers, the place for maintainers.
///
/// Reasons hold no card number, cryptogram or key; those of the binding name the currency or amount that the sheet showed. They
/// say more than an outside caller should learn: a server answers every refused token with one uniform refusal.
public struct ApplePayError: CodedError, Hashable {
    /// A stable code; new ones are added without breaking callers, none is renamed or reused.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        // Reading.
        /// The bytes are not the strict JSON that this library accepts.
        public static let malformedJSON = Self("malformed-json")
        /// An object names one key twice, so two readers could see two different messages.
        public static let duplicateKey = Self("duplicate-key")
        /// The bytes are larger than the limit the caller set.
        public static let tooLarge = Self("too-large")
        /// There are no bytes: what a simulator or a test device hands over as `paymentData`.
        public static let emptyPaymentData = Self("empty-payment-data")
        /// A member of the token is missing, ill-typed, of the wrong size, or not valid base64 or hex (apple-pay.md#signature-form).
        public static let malformedToken = Self("malformed-token")
        /// The version is neither `EC_v1` nor `RSA_v1`.
        public static let unknownVersion = Self("unknown-version")
        /// The outer `transactionIdentifier` names another transaction than the signed header.
        public static let transactionIdentifierMismatch = Self("transaction-identifier-mismatch")
        /// A member of the decrypted payload is missing, ill-typed or out of range (apple-pay.md#payload).
        public static let malformedPayload = Self("malformed-payload")
        public static let malformedRequest = Self("malformed-request")
        public static let malformedSession = Self("malformed-session")

        // Verifying: one code per rule of apple-pay.md#verification.
        public static let signatureUnreadable = Self("signature-unreadable")
        public static let signerCount = Self("signer-count")
        public static let digestAlgorithm = Self("digest-algorithm")
        public static let signerCertificateMissing = Self("signer-certificate-missing")
        public static let signedAttributesMissing = Self("signed-attributes-missing")
        public static let contentType = Self("content-type")
        public static let signingTimeMissing = Self("signing-time-missing")
        public static let embeddedContent = Self("embedded-content")
        public static let messageDigestMismatch = Self("message-digest-mismatch")
        public static let signatureAlgorithm = Self("signature-algorithm")
        public static let signatureMismatch = Self("signature-mismatch")
        public static let tokenStale = Self("token-stale")
        public static let tokenFromFuture = Self("token-from-future")
        /// Rules of the chain keep the names that the chain checker gives them, such as `untrusted-root`,
        /// `leaf-marker-missing` or `certificate-expired`.
        public init(_ chainRule: ChainRuleCode) { self.init(chainRule.description) }

        // Opening.
        /// The token was made for a key that the ring does not hold.
        public static let unknownPublicKeyHash = Self("unknown-public-key-hash")
        /// The token could not be opened. Deliberately says nothing more: which of key agreement, unwrapping or tag
        /// failed would help somebody who probes with altered tokens (apple-pay.md#rsa_v1).
        public static let decryptionRefused = Self("decryption-refused")

        // Binding.
        public static let currencyMismatch = Self("currency-mismatch")
        public static let amountMismatch = Self("amount-mismatch")
        public static let applicationDataMissing = Self("application-data-missing")
        public static let applicationDataUnexpected = Self("application-data-unexpected")
        public static let applicationDataMismatch = Self("application-data-mismatch")

        // Merchant material.
        public static let malformedCertificate = Self("malformed-certificate")
        public static let merchantIdentifierMissing = Self("merchant-identifier-missing")
        public static let merchantIdentifierMismatch = Self("merchant-identifier-mismatch")
        public static let keyMismatch = Self("key-mismatch")
        public static let keyKind = Self("key-kind")
        public static let malformedKey = Self("malformed-key")

        // Composing.
        public static let composition = Self("composition")
    }

    public var code: Code
    /// For engineers who operate the server; holds no sensitive value.
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    /// Two errors are equal when their codes are: reasons may be reworded.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
