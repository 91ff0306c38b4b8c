package import BillfoldDiagnosis
package import HTTPTypes

/// A server's own error, as its callers are answered with it.
package protocol ServedError: CodedError {
    var status: HTTPResponse.Status { get }
    /// What goes with it, such as when to ask again.
    var headers: HTTPFields { get }
    /// What callers see in the place of the code: the code, unless the error hands on what another party answered.
    var answeredCode: String { get }
    /// What callers are told beside code and reason, by name. No secret.
    var details: [String: String] { get }
}

extension ServedError {
    package var details: [String: String] { [:] }
    package var answeredCode: String { code.description }
    /// The code and the reason that callers are told, as a trace tells of a refusal.
    package var told: String { "\(answeredCode): \(reason)" }
}

extension ServerError: ServedError {}

extension Refusal {
    package init(_ error: some ServedError) {
        self.init(status: error.status, code: error.answeredCode, reason: error.reason, headers: error.headers)
        details = error.details
    }
}

extension ErrorMapping {
    /// The mapping with all errors of a kind added.
    package func adding<Served: ServedError>(_ kind: Served.Type) -> ErrorMapping {
        var mapping = self
        mapping.add { ($0 as? Served).map { Refusal($0) } }
        return mapping
    }
}
