public import BillfoldDiagnosis

/// Why bytes are not read as JSON. Equality looks at the code alone.
public struct JSONError: CodedError, Equatable {
    /// A stable code; none is renamed or reused.
    public enum Code: String, Sendable, CustomStringConvertible {
        /// The bytes break the grammar of RFC 8259, or one of the few things it leaves open that are refused here.
        case malformed = "malformed-json"
        /// An object names one member twice, so two readers could see two different messages.
        case duplicateKey = "duplicate-key"
        /// More bytes than the caller reads.
        case tooLarge = "too-large"
        /// More nested containers than the caller reads.
        case tooDeep = "too-deep"

        public var description: String { rawValue }
    }

    public var code: Code
    /// For engineers: names the byte at which reading ended, and repeats nothing of what was read.
    public var reason: String

    public init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}
