/// One thing that is wrong with an artifact: what, how we know, and how to mend it.
///
/// A finding is evidence, not a guess: a diagnostician reports it only after trying the known wrong variant and
/// seeing that it fits.
public struct Finding: Sendable, Hashable, Codable {
    /// Whether it hurts already.
    public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
        /// The artifact is refused because of this.
        case defect
        /// The artifact is accepted today and will cause trouble, for example a certificate near its end.
        case warning
    }

    /// A measured fact that supports the finding. Values are masked where the artifact is sensitive.
    public struct Evidence: Sendable, Hashable, Codable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A stable, dotted code such as `apple-pay.oaep-hash`. Codes are never renamed or reused.
    public var code: String
    public var severity: Severity
    /// The name of the artifact the finding is about.
    public var subject: String
    /// One sentence that names the cause.
    public var cause: String
    public var evidence: [Evidence]
    /// One or two sentences that say what to change.
    public var mend: String

    public init(
        code: String, severity: Severity = .defect, subject: String, cause: String, evidence: [Evidence] = [], mend: String
    ) {
        self.code = code
        self.severity = severity
        self.subject = subject
        self.cause = cause
        self.evidence = evidence
        self.mend = mend
    }
}
