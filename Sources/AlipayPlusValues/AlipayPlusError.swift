public import BillfoldDiagnosis

/// What the libraries of Alipay+ refuse. Equality looks at the code alone.
public struct AlipayPlusError: CodedError, Equatable {
    /// A stable code; new ones are added without breaking callers, none is renamed or reused.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        package init(_ description: String) { self.description = description }

        /// A member that is there breaks its format; the reason names it.
        public static let malformedField = Self("malformed-field")
        /// No `Request-Time`, or one that is no ISO 8601 time with a zone and no epoch milliseconds.
        public static let malformedTime = Self("malformed-time")
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
}
