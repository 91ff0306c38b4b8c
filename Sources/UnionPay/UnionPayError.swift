public import BillfoldDiagnosis

/// What the UnionPay protocol library refuses.
public struct UnionPayError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// A body that is not a well-formed list of fields: a bad percent escape, no `=`, open brackets.
        public static let malformedBody = Self("malformed-body")
        /// The same key twice; which of the two was signed cannot be known.
        public static let duplicateField = Self("duplicate-field")
        public static let missingField = Self("missing-field")
        /// A field whose value breaks the rule of its type.
        public static let invalidField = Self("invalid-field")
        /// A character that the message's `encoding` cannot carry, or bytes that are not text in it.
        public static let unencodableText = Self("unencodable-text")
        /// `version`, `signMethod` or `encoding` is none that this library speaks, or not the one that is expected here.
        public static let unsupported = Self("unsupported")
        /// The signature does not fit the message, or there is none.
        public static let signatureMismatch = Self("signature-mismatch")
        /// `signPubKeyCert` cannot be read, or does not chain to a configured anchor.
        public static let certificateUntrusted = Self("certificate-untrusted")
        /// A believable reply that does not answer the message it came back for.
        public static let otherMessage = Self("other-message")
        /// A certificate of the chain is not valid at the given instant.
        public static let certificateOutOfDate = Self("certificate-out-of-date")
        /// The certificate chains to an anchor, and yet does not name UnionPay.
        public static let certificateNotUnionPay = Self("certificate-not-unionpay")
        /// No merchant or key is known under this identifier.
        public static let unknownKey = Self("unknown-key")
        /// A key or certificate of our own cannot be used.
        public static let unusableKey = Self("unusable-key")
        /// A reconciliation file that does not have its layout.
        public static let malformedFile = Self("malformed-file")
    }

    public var code: Code
    /// For people; holds no card data and no secret.
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}
