public import BillfoldDiagnosis

/// What this library refuses, or cannot do. Equality looks at the code alone.
///
/// OpenSSL's own error texts are never carried: they can hold names, sizes and positions of secrets.
public struct PaymentCryptoOpenSSLError: CodedError, Equatable {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// A key that does not parse, or is of another kind than asked for.
        public static let malformedKey = Self("malformed-key")
        /// A PKCS#12 file that does not parse, or asks for far too much hashing of its password.
        public static let malformedArchive = Self("malformed-archive")
        /// A PKCS#12 file whose integrity code does not fit the password: a wrong password or a damaged file.
        public static let wrongPassword = Self("wrong-password")
        /// A PKCS#12 file without a private key, or without its certificate.
        public static let incompleteArchive = Self("incomplete-archive")
        /// OpenSSL's legacy provider is not installed; old PKCS#12 files need it (Debian 13: `openssl-provider-legacy`).
        public static let legacyProviderMissing = Self("legacy-provider-missing")
        /// A parameter of a wrong size.
        public static let invalidParameter = Self("invalid-parameter")
        /// Opening failed. Why is never said.
        public static let decryptionFailed = Self("decryption-failed")
        /// Sealing failed.
        public static let encryptionFailed = Self("encryption-failed")
        /// Signing failed.
        public static let signingFailed = Self("signing-failed")
        /// The library could not do what it always can: no memory, or a broken installation.
        public static let libraryFailure = Self("library-failure")
    }

    public var code: Code
    /// For operators; holds no key and no plaintext.
    public var reason: String
    public var isDefect: Bool { code == .libraryFailure }
    /// Of a PKCS#12 file that asks for too much hashing of its password: how many rounds, as far as they were counted.
    public var rounds: Int?
    public var file: String
    public var line: Int

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
