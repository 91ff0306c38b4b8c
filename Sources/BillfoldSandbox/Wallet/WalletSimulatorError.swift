import BillfoldDiagnosis

/// What the simulated wallet and its certificate office refuse.
package struct WalletSimulatorError: CodedError {
    /// A stable code; new ones are added without breaking callers.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String
        init(_ description: String) { self.description = description }

        /// The body is no certificate request, or not signed by its own key.
        package static let malformedRequest = Self("malformed-certificate-request")
        /// The request names no merchant identifier, neither in its subject nor beside it.
        package static let merchantIdentifierMissing = Self("merchant-identifier-missing")
        /// The key's kind does not fit what was asked for: P-256 or RSA 2048 for processing, RSA 2048 for identity.
        package static let keyKind = Self("key-kind")
        package static let unknownCertificate = Self("unknown-certificate")
        /// Nobody holds a processing certificate for the identifier, so there is no key to encrypt to.
        package static let noActiveCertificate = Self("no-active-certificate")
        /// The active certificate is not valid now: the sheet ends with "Payment Not Completed".
        package static let certificateNotValid = Self("certificate-not-valid")
        package static let invalidAmount = Self("invalid-amount")
        /// The folder cannot be read or written, or holds something else than an authority.
        package static let folderUnusable = Self("folder-unusable")
        package static let issuingFailed = Self("issuing-failed")
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
