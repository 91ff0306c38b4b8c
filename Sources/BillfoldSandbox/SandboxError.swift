/// What a party of the sandbox refuses or cannot do.
public struct SandboxError: Error, Sendable, CustomStringConvertible {
    /// A stable code; new ones are added without breaking callers.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }

        /// A body of the control interface that is not what it should be.
        public static let invalidBody = Self("invalid-body")
        public static let notFound = Self("not-found")
        /// The store's state cannot be read back.
        public static let stateUnusable = Self("state-unusable")
        /// Another party did not answer in time, or not at all.
        public static let noAnswer = Self("no-answer")
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
