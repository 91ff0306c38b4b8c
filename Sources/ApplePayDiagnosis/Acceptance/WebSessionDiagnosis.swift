import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// The request for a session of the web, and the session itself (apple-pay.md#web-session [D]).
struct WebSessionDiagnosis {
    let file: CaseFile

    func examine(into diagnosis: inout Diagnosis) {
        for request in file.sessionRequests {
            let context = request.value["initiativeContext"]?.string ?? ""
            diagnosis.identified.append(
                .init(artifact: request.name, kind: "apple-pay.session-request", summary: "request for a merchant session of \(context)"))
            examine(request.value, context: context, in: request.name, into: &diagnosis)
        }
        for session in file.merchantSessions { examine(session.value, in: session.name, into: &diagnosis) }
    }

    private func examine(_ request: JSONObject, context: String, in name: String, into diagnosis: inout Diagnosis) {
        // A session of messages names an address, one of the web a domain.
        if request["initiative"]?.string == "web", let words = Self.unlikeDomain(context) {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.session-context", subject: name, cause: "initiativeContext is no host name: it has \(words).",
                    evidence: [.init("initiativeContext", context)],
                    mend: "Write the domain that is registered and shown in the browser, such as shop.example.com, and nothing else."))
        }
        if let shown = request["displayName"]?.string, shown.count > 64 {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.session-display-name", subject: name, cause: "displayName is longer than 64 characters.",
                    evidence: [.init("characters", String(shown.count))], mend: "Shorten it to what customers know."))
        }
    }

    /// What a domain does not have; nil for one that may be one.
    private static func unlikeDomain(_ context: String) -> String? {
        if context.isEmpty { return "nothing in it" }
        if context.contains("://") { return "a scheme" }
        if context.contains("/") { return "a path" }
        if context.contains(":") { return "a port" }
        if context.hasPrefix("*") { return "a wildcard" }
        return context.contains(where: \.isWhitespace) ? "blanks" : nil
    }

    private func examine(_ session: JSONObject, in name: String, into diagnosis: inout Diagnosis) {
        func date(_ member: String) -> Date? { session[member]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0) / 1_000) } }
        let domain = session["domainName"]?.string ?? "no domain"
        let end = date("expiresAt")
        diagnosis.identified.append(
            .init(
                artifact: name, kind: "apple-pay.merchant-session",
                summary: "merchant session for \(domain), which has to be the page's own"
                    + (end.map { ", until \($0.formatted(.iso8601))" } ?? "")))
        if let instant = file.instant, let end, instant > end {
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.session-expired", subject: name,
                    cause: "The session has expired: the sheet ends with \"Payment Not Completed\".",
                    evidence: [
                        .init("epochTimestamp", date("epochTimestamp")?.formatted(.iso8601) ?? "absent"),
                        .init("expiresAt", end.formatted(.iso8601)), .init("now", instant.formatted(.iso8601)),
                        .init("domainName", domain),
                    ],
                    mend: "Ask for a session when the sheet calls onvalidatemerchant, use it once, and never store one."))
        }
        for request in file.sessionRequests where request.value["initiative"]?.string == "web" {
            guard let asked = request.value["initiativeContext"]?.string, Self.unlikeDomain(asked) == nil,
                asked.lowercased() != domain.lowercased()
            else { continue }
            diagnosis.findings.append(
                Finding(
                    code: "apple-pay.session-domain", subject: name,
                    cause: "The session is for another domain than the one that was asked for.",
                    evidence: [.init("domainName", domain), .init("initiativeContext in \(request.name)", asked)],
                    mend: "Give each page a session of its own domain."))
        }
    }
}
