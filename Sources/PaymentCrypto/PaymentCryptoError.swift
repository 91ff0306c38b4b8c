public import BillfoldDiagnosis

/// What this library refuses, or cannot do. Equality looks at the code alone.
public struct PaymentCryptoError: CodedError, Equatable {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }

        /// Hexadecimal text with an odd length or a letter outside the alphabet.
        public static let malformedHex = Self("malformed-hex")
        /// Base64 text with white space, a wrong letter, wrong padding, or bits set that carry nothing.
        public static let malformedBase64 = Self("malformed-base64")
        /// PEM text without a block of the wanted label, or with a damaged block.
        public static let malformedPEM = Self("malformed-pem")
        /// Bytes that break the encoding rules of ASN.1, or hold another structure than the one asked for.
        public static let malformedASN1 = Self("malformed-asn1")
        /// More nested elements than the limit.
        public static let nestingTooDeep = Self("nesting-too-deep")
        /// More bytes, or more elements, than the limit.
        public static let tooLarge = Self("too-large")
        /// A certificate that does not parse.
        public static let malformedCertificate = Self("malformed-certificate")
        /// A CMS structure that does not parse, or is no SignedData.
        public static let malformedSignedData = Self("malformed-signed-data")
        /// A key that does not parse, or a point off its curve.
        public static let malformedKey = Self("malformed-key")
        /// A key of a kind or size that is not supported.
        public static let unsupportedKey = Self("unsupported-key")
        /// An algorithm that is not supported, or does not fit the key.
        public static let unsupportedAlgorithm = Self("unsupported-algorithm")
        /// No key with that id is in the ring.
        public static let unknownKey = Self("unknown-key")
        /// The key with that id was retired.
        public static let keyRetired = Self("key-retired")
        /// The ring already holds another key under that id.
        public static let duplicateKey = Self("duplicate-key")
        /// A ring without an active key was asked for one.
        public static let noActiveKey = Self("no-active-key")
        /// Signing failed.
        public static let signingFailed = Self("signing-failed")
        /// Opening failed: wrong key, wrong bytes or wrong tag. Which of them is never said.
        public static let decryptionFailed = Self("decryption-failed")
        /// Sealing failed.
        public static let encryptionFailed = Self("encryption-failed")
        /// A parameter is outside what the algorithm takes, such as a nonce that is too short.
        public static let invalidParameter = Self("invalid-parameter")
        /// The chain of certificates was refused; the report says by which rules.
        public static let chainRefused = Self("chain-refused")
        /// An anchor's bytes do not have the pinned fingerprint.
        public static let anchorMismatch = Self("anchor-mismatch")
        /// A certificate or request could not be made.
        public static let issuingFailed = Self("issuing-failed")
        /// The key store's folder or index cannot be read or written.
        public static let keyStoreUnavailable = Self("key-store-unavailable")
        /// The key store's index or a file of it is not what the store wrote.
        public static let keyStoreDamaged = Self("key-store-damaged")
        /// The key store's folder, or a file of it, is open to other users.
        public static let keyStoreExposed = Self("key-store-exposed")
        /// A private key is sealed, and the store was opened without the key-encryption key.
        public static let keySealed = Self("key-sealed")
        /// A private key and a certificate that are not a pair.
        public static let keyMismatch = Self("key-mismatch")
        /// The active key was to be retired without saying so.
        public static let keyActive = Self("key-active")
    }

    public var code: Code
    /// For operators and developers; holds no key, no plaintext, no digits of a card.
    public var reason: String
    public var file: String
    public var line: Int
    public var isDefect: Bool { code == .keyStoreUnavailable }

    public init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
