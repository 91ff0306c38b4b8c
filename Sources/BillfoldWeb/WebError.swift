import BillfoldDiagnosis

/// Why a page could not be made.
package struct WebError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }

        /// The package's own files are missing or unreadable: a broken installation.
        package static let resourcesMissing = Self("resources-missing")
        /// A template does not parse.
        package static let templateMalformed = Self("template-malformed")
        /// No template has that name.
        package static let templateUnknown = Self("template-unknown")
        /// A text does not fit into a QR code.
        package static let codeTooLong = Self("code-too-long")
        /// Digits that are no bar code.
        package static let barCodeMalformed = Self("bar-code-malformed")
    }

    package var code: Code
    package var reason: String
    package var file: String
    package var line: Int
    package var isDefect: Bool { true }

    package init(code: Code, reason: String, file: String = #fileID, line: Int = #line) {
        self.code = code
        self.reason = reason
        self.file = file
        self.line = line
    }
}
