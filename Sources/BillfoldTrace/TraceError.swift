public import BillfoldDiagnosis

/// What the trace refuses.
public struct TraceError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The bytes are not a JSON array of entries.
        public static let malformedBatch = Self("malformed-batch")
        /// More entries in one batch, or a longer field, than the codec takes.
        public static let limitExceeded = Self("limit-exceeded")
        /// The receiver does not take this batch, and will not when it is sent again: too large, or something in it is unfit.
        public static let batchRefused = Self("batch-refused")
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
