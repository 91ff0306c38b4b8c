public import BillfoldDiagnosis

/// What the mini program library refuses. Equality looks at the code alone.
public struct MiniProgramError: CodedError, Equatable {
    /// A stable code; none is renamed or reused.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }

        // Configuration.
        /// Bytes that are not the JSON that a file must be.
        public static let malformedJSON = Self("malformed-json")
        /// A member that must be there is not; the reason names it.
        public static let missingField = Self("missing-field")
        /// A member that is there breaks its format; the reason names it.
        public static let malformedField = Self("malformed-field")

        // Packages.
        /// Bytes that are no archive, or a damaged one.
        public static let malformedArchive = Self("malformed-archive")
        /// An entry whose path leaves the package, or that two systems would read differently.
        public static let unsafePath = Self("unsafe-path")
        /// More entries, more bytes or a higher ratio of compression than a package may have.
        public static let tooLarge = Self("too-large")
        /// Two entries with one path, or with paths that some file systems cannot tell apart.
        public static let duplicateEntry = Self("duplicate-entry")
        /// No manifest, or one that breaks its format.
        public static let malformedManifest = Self("malformed-manifest")
        /// A file that the manifest names and the package lacks.
        public static let missingFile = Self("missing-file")
        /// A file that the package has and the manifest does not name.
        public static let unlistedFile = Self("unlisted-file")
        /// A file whose bytes are not those of the manifest.
        public static let hashMismatch = Self("hash-mismatch")
        /// A package without a signature where one is needed.
        public static let unsigned = Self("unsigned")
        /// A signature that is not the key's over this manifest.
        public static let signatureMismatch = Self("signature-mismatch")
        /// A key that was never trusted, or is not any more.
        public static let untrustedKey = Self("untrusted-key")
        /// A package of another mini program, or an older one than was asked for.
        public static let wrongPackage = Self("wrong-package")
        /// A key that cannot sign.
        public static let unusableKey = Self("unusable-key")

        // Messages.
        /// No signature header, or one that breaks its format.
        public static let malformedSignature = Self("malformed-signature")

        // Sensitive data.
        /// A message that does not open: another key than it was sealed for, or a damaged one.
        public static let cannotOpen = Self("cannot-open")

        // Links and codes.
        /// Text that is no link to a mini program.
        public static let notALink = Self("not-a-link")
        /// A link with a trick of encoding, a control character, or more text than is read.
        public static let unsafeLink = Self("unsafe-link")

        // Releases.
        /// A step that a release cannot take from where it is.
        public static let wrongState = Self("wrong-state")
        /// Text that is no version.
        public static let malformedVersion = Self("malformed-version")
    }

    public var code: Code
    /// For people; holds no secret and no value of a stranger's longer than 64 characters.
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

    /// A stranger's text, short enough for a log line and with anything that is not printable ASCII replaced.
    static func quoted(_ text: some StringProtocol) -> String {
        let shown = text.unicodeScalars.prefix(64).map { (0x21...0x7e).contains($0.value) ? String($0) : "?" }.joined()
        return "\"\(shown)\(text.unicodeScalars.count > 64 ? "…" : "")\""
    }
}
