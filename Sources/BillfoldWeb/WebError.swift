/// Why a page could not be made.
public struct WebError: Error, Sendable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The package's own files are missing or unreadable: a broken installation.
        public static let resourcesMissing = Self("resources-missing")
        /// A template does not parse.
        public static let templateMalformed = Self("template-malformed")
        /// No template has that name.
        public static let templateUnknown = Self("template-unknown")
        /// A text does not fit into a QR code.
        public static let codeTooLong = Self("code-too-long")
        /// Digits that are no bar code.
        public static let barCodeMalformed = Self("bar-code-malformed")
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
