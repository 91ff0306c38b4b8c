/// What the simulated wallet and its certificate office refuse.
public struct WalletError: Error, Sendable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The body is no certificate request, or not signed by its own key.
        public static let malformedRequest = Self("malformed-certificate-request")
        /// The request names no merchant identifier, neither in its subject nor beside it.
        public static let merchantIdentifierMissing = Self("merchant-identifier-missing")
        /// The key's kind does not fit what was asked for: P-256 or RSA 2048 for processing, RSA 2048 for identity.
        public static let keyKind = Self("key-kind")
        public static let unknownCertificate = Self("unknown-certificate")
        /// Nobody holds a processing certificate for the identifier, so there is no key to encrypt to.
        public static let noActiveCertificate = Self("no-active-certificate")
        /// The active certificate is not valid now: the sheet ends with "Payment Not Completed".
        public static let certificateNotValid = Self("certificate-not-valid")
        public static let invalidAmount = Self("invalid-amount")
        /// The folder cannot be read or written, or holds something else than an authority.
        public static let folderUnusable = Self("folder-unusable")
        public static let issuingFailed = Self("issuing-failed")
    }

    public var code: Code
    public var reason: String
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public var description: String { "\(code): \(reason)" }
}
