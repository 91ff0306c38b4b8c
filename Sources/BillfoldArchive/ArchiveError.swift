public import BillfoldDiagnosis

/// What cannot be packed or unpacked.
public struct ArchiveError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The bytes are not of this format, or are damaged or cut short.
        public static let malformed = Self("malformed")
        /// Unpacking would pass a limit. Nothing beyond the limit was unpacked.
        public static let tooLarge = Self("too-large")
        /// An entry's name is absolute, leaves the folder, is not UTF-8, or occurs twice.
        public static let unsafeName = Self("unsafe-name")
        /// An entry that is neither a file nor a folder, for example a symbolic link.
        public static let unsupportedEntry = Self("unsupported-entry")
        /// The library could not do its work, for example for want of memory.
        public static let failed = Self("failed")
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
}
