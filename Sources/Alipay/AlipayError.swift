public import BillfoldDiagnosis

/// What the Alipay protocol library refuses. Equality looks at the code alone.
public struct AlipayError: CodedError, Equatable {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// Text that breaks its grammar: an order string, a form, an answer, a URL.
        public static let malformed = Self("malformed")
        /// JSON that is not strict JSON.
        public static let malformedJSON = Self("malformed-json")
        /// XML beyond the little that answers use: a document type, an unknown entity, elements that do not close.
        public static let malformedXML = Self("malformed-xml")
        /// More bytes, pairs or nesting than the limit.
        public static let tooLarge = Self("too-large")
        /// The same key twice; which of the two was signed cannot be known.
        public static let duplicateKey = Self("duplicate-key")
        public static let missingParameter = Self("missing-parameter")
        /// A value that breaks the rule of its parameter; the reason names the parameter.
        public static let invalidParameter = Self("invalid-parameter")
        /// A character that the charset cannot carry, or bytes that are not text in it.
        public static let unencodableText = Self("unencodable-text")
        /// A charset that is not spoken here.
        public static let unsupported = Self("unsupported")
        /// A sign type that is not spoken here, or not for this message.
        public static let unsupportedSignType = Self("unsupported-sign-type")
        /// There is no signature, or, in a legacy message, no sign type.
        public static let missingSignature = Self("missing-signature")
        /// A modern request without `sign_type`.
        public static let missingSignType = Self("missing-sign-type")
        /// A signature that is no base64, or no hexadecimal MD5.
        public static let malformedSignature = Self("malformed-signature")
        /// The signature does not fit the text.
        public static let signatureMismatch = Self("signature-mismatch")
        /// A parameter that no signature covers; the reason names it.
        public static let uncoveredParameter = Self("uncovered-parameter")
        /// No key of this sign type is registered.
        public static let unknownKey = Self("unknown-key")
        /// A key or certificate that cannot be used.
        public static let unusableKey = Self("unusable-key")
        /// A believable message that belongs to another order, method or application.
        public static let otherMessage = Self("other-message")
    }

    public var code: Code
    /// For people; holds no secret.
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// A stranger's name, short enough for a log line and with anything that is not printable ASCII replaced.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(64).map { (0x21...0x7e).contains($0.value) ? String($0) : "?" }.joined()
        return "\"\(shown)\(text.unicodeScalars.count > 64 ? "…" : "")\""
    }
}
