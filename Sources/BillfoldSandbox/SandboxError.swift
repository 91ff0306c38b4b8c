import BillfoldDiagnosis

/// What a party of the sandbox refuses or cannot do.
package struct SandboxError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }

        /// A body of the control interface that is not what it should be.
        package static let invalidBody = Self("invalid-body")
        package static let notFound = Self("not-found")
        /// The store's state cannot be read back.
        package static let stateUnusable = Self("state-unusable")
        /// Another party did not answer in time, or not at all.
        package static let noAnswer = Self("no-answer")
    }

    package var code: Code
    package var reason: String
    package var file: String
    package var line: Int

    package init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}
