import BillfoldDiagnosis
import BillfoldJSON

/// How `my.getAuthCode` failed or succeeded in part, as its callback was handed it: `{error, errorMessage, authErrorScopes}`.
struct ConsentFailure {
    /// The word that the container puts first; nil where the message has none of its words.
    var cause: String?
    var message: String
    /// The refused scopes with their reasons.
    var scopes: [(name: String, reason: String)]

    /// The causes of the authorisation workflow (`AuthorizationRefusal` of the Wallet API).
    static let causes: Set<String> = [
        "auth-client-unset", "service-unregistered", "user-cancelled", "consent-not-cached", "service-failed", "timed-out", "no-code",
        "abandoned",
    ]

    init(_ result: JSONObject) {
        message = result["errorMessage"]?.string ?? ""
        let word = String(message.prefix { $0 != ":" })
        cause = Self.causes.contains(word) ? word : nil
        scopes = (result["authErrorScopes"]?.members ?? []).map { ($0.key, $0.value.string ?? $0.value.text) }
    }

    /// A file that holds such an object alone; nil for another.
    init?(file object: JSONObject) {
        guard object["error"]?.integer != nil, object["errorMessage"]?.string != nil else { return nil }
        self.init(object)
        guard cause != nil || object["authErrorScopes"]?.object != nil else { return nil }
    }

    func findings(subject: String) -> [Finding] {
        var result: [Finding] = []
        func add(_ code: String, cause: String, evidence: [(String, String)], mend: String, severity: Finding.Severity = .defect) {
            result.append(
                Finding(
                    code: "mini-program.\(code)", severity: severity, subject: subject, cause: cause,
                    evidence: evidence.map { .init($0.0, String($0.1.prefix(128))) }, mend: mend))
        }
        switch cause {
        case "auth-client-unset"?:
            add(
                "auth-client-unset", cause: "getAuthCode failed because the metadata has no authClientId.",
                evidence: [("errorMessage", message)],
                mend: "Record the client id that the super app gave the merchant on the platform.")
        case "service-unregistered"?:
            add(
                "service-unregistered", cause: "getAuthCode failed because the super app registered no service for it.",
                evidence: [("errorMessage", message)], mend: "Register the service before the first mini program is opened.")
        default:
            if cause == "consent-not-cached" || message.contains("2001") || message.contains("did not remember") {
                add(
                    "consent-not-cached", cause: "Agreement was still pending after the person had agreed.",
                    evidence: [("errorMessage", message)],
                    mend: "Remember the agreed scopes by user and mini program before showAuthPage answers.")
            }
        }
        if !scopes.isEmpty {
            add(
                "scope-refused", cause: "The super app refused scopes that getAuthCode asked for.",
                evidence: scopes.prefix(8).map { ($0.name, $0.reason) },
                mend: "Ask the super app to allow the scopes for this mini program, or go on without them: the others are granted.",
                severity: .warning)
        }
        return result
    }
}
