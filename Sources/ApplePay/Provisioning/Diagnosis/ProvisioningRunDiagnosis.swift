import BillfoldDiagnosis
import Foundation

/// What times and device logs show (rows 7, 8, 24 and 26).
struct ProvisioningRunDiagnosis {
    let file: ProvisioningCase

    /// How long the completion handler lives, and an extension's status may take, in milliseconds (section 10). [2+]
    static let handlerLimit: Int64 = 20_000
    static let statusLimit: Int64 = 100

    func examine(into diagnosis: inout Diagnosis) {
        for timing in file.timings {
            examineCallback(timing.value, timing.name, into: &diagnosis)
            if let part = timing.value["extension"]?.object { examineExtension(part, timing.name, into: &diagnosis) }
        }
        for log in file.logs { examineLog(log.value, log.name, into: &diagnosis) }
    }

    private func examineCallback(_ timing: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        guard let begin = timing["callbackAt"]?.integer else { return }
        let answers = (timing["answersAt"]?.array ?? []).compactMap(\.integer)
        guard let first = answers.first else {
            diagnosis.report(
                "callback-unanswered", in: name, "The completion handler was never called.", ["answers": "0"],
                mend: "Call it on every path, within 20 seconds, with the request or an empty one.")
            return
        }
        if answers.count > 1 {
            diagnosis.report(
                "callback-answered-twice", in: name, "The completion handler was called more than once.",
                ["answers": String(answers.count)], mend: "The handler works once; keep track of it.")
        }
        let (elapsed, overflow) = first.subtractingReportingOverflow(begin)
        guard !overflow, elapsed > Self.handlerLimit else { return }
        diagnosis.report(
            "callback-late", in: name, "The completion handler was called after 20 seconds, when it is ignored.",
            ["milliseconds": String(elapsed), "limit": String(Self.handlerLimit)],
            mend: "Answer within a budget of 10 seconds on the host, and fail fast.")
    }

    private func examineExtension(_ part: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let status = part["statusMilliseconds"]?.integer ?? 0
        let entries = part["entries"]?.integer ?? 1
        let wasOpened = part["appOpened"]?.bool ?? true
        guard status > Self.statusLimit || entries < 1 || !wasOpened else { return }
        diagnosis.report(
            "extension-not-listed", in: name, "Wallet leaves the extension out.",
            [
                "statusMilliseconds": String(status), "limit": String(Self.statusLimit), "entries": String(entries),
                "app opened": wasOpened ? "yes" : "no",
            ],
            mend: "Answer status from data that the app cached in the shared group; the user must have opened the app once.")
    }

    private func examineLog(_ text: String, _ name: String, into diagnosis: inout Diagnosis) {
        let lines = text.split(whereSeparator: \.isNewline)
        func first(_ parts: String...) -> String? {
            lines.first { line in parts.allSatisfy { line.range(of: $0, options: .caseInsensitive) != nil } }.map { String($0.prefix(200)) }
        }
        if let line = first("/cards", "500", "html") {
            diagnosis.report(
                "cards-html", in: name,
                "The broker refused the card's request with a page: the app is not on its list, or it failed inside.",
                ["line": line, "status": "500", "body": "HTML"],
                mend: "Compare the app's identifiers and Adam ID with Apple's allow list, then the configuration's completeness.")
        }
        if let line = first("/cards", "40001") {
            diagnosis.report(
                "card-refused", in: name, "The envelope opened and the card's data was refused.", ["line": line, "code": "40001"],
                mend: "Check the payload's members, and the inner layer with the network.")
        }
        if let line = first("/enable", "40456") {
            diagnosis.report(
                "enable-failed", in: name, "Network or issuer failed after the terms.", ["line": line, "code": "40456"],
                mend: "Look for the decision request of that moment at the issuer's host.")
        }
        for member in ["encryptedPassData", "activationData", "ephemeralPublicKey"] {
            guard let line = first("\(member) missing") else { continue }
            diagnosis.report(
                "log-member-missing", member == "activationData" ? .warning : .defect, in: name, "PassKit found \(member) missing.",
                ["line": line, "member": member], mend: "Fill it before the completion handler is called.")
        }
        if let line = first("proxy", "/broker/") ?? first("HTTPSProxy", "1") ?? first("proxy", "certificate") {
            diagnosis.report(
                "proxy-active", in: name, "A proxy stood between the device and the broker, which refuses interception.", ["line": line],
                mend: "Switch the proxy off, or leave Apple's hosts out of it.")
        }
    }
}
