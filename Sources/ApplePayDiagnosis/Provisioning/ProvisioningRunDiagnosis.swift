import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// What times and device logs show (provisioning.md#failures, rows 7, 8, 24 and 26).
struct ProvisioningRunDiagnosis {
    let file: ProvisioningCase

    /// How long the completion handler lives, and an extension's status may take, in milliseconds (provisioning.md#timings [D]).
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
        guard let first = answers.min() else {
            diagnosis.report(
                "callback-unanswered", in: name, cause: "The completion handler was never called.", evidence: ["answers": "0"],
                mend: "Call it on every path, within 20 seconds, with the request or an empty one.")
            return
        }
        if answers.count > 1 {
            diagnosis.report(
                "callback-answered-twice", in: name, cause: "The completion handler was called more than once.",
                evidence: ["answers": String(answers.count)], mend: "The handler works once; keep track of it.")
        }
        let (elapsed, overflow) = first.subtractingReportingOverflow(begin)
        guard !overflow, elapsed > Self.handlerLimit else { return }
        diagnosis.report(
            "callback-late", in: name, cause: "The completion handler was called after 20 seconds, when it is ignored.",
            evidence: ["milliseconds": String(elapsed), "limit": String(Self.handlerLimit)],
            mend: "Answer within a budget of 10 seconds on the host, and fail fast.")
    }

    private func examineExtension(_ part: JSONObject, _ name: String, into diagnosis: inout Diagnosis) {
        let status = part["statusMilliseconds"]?.integer ?? 0
        let entries = part["entries"]?.integer ?? 1
        let wasOpened = part["appOpened"]?.bool ?? true
        guard status > Self.statusLimit || entries < 1 || !wasOpened else { return }
        let apart = ApplicationGroups.apart(file.apps)
        diagnosis.report(
            "extension-not-listed", in: name,
            cause: apart == nil
                ? "Wallet leaves the extension out."
                : "Wallet leaves the extension out: app and extension share no application group, so it has no cards.",
            evidence: [
                "statusMilliseconds": String(status), "limit": String(Self.statusLimit), "entries": String(entries),
                "app opened": wasOpened ? "yes" : "no", "application groups": apart ?? "nothing known of two files",
            ],
            mend: apart == nil
                ? "Answer status from data that the app cached in the shared group; the user must have opened the app once."
                : "Give both one application group, in the entitlements and the profiles, and keep the cards there.")
    }

    private func examineLog(_ text: String, _ name: String, into diagnosis: inout Diagnosis) {
        let lines = text.split(whereSeparator: \.isNewline)
        for answer in BrokerAnswer.all(lines) {
            if answer.isCards, answer.status == 500, answer.text.contains(/(?i)<html|<!doctype html|text\/html|\bhtml body\b/) {
                diagnosis.report(
                    "cards-html", in: name,
                    cause: "The broker refused the card's request with a page: the app is not on its list, or it failed inside.",
                    evidence: ["line": answer.line, "status": "500", "body": "HTML"],
                    mend: "Compare the app's identifiers and Adam ID with Apple's allow list, then the configuration's completeness.")
            }
            if answer.isCards, answer.code == 40_001 {
                diagnosis.report(
                    "card-refused", in: name, cause: "The envelope opened and the card's data was refused.",
                    evidence: ["line": answer.line, "code": "40001"],
                    mend: "Check the payload's members, and the inner layer with the network.")
            }
            if answer.isEnable, answer.code == 40_456 {
                diagnosis.report(
                    "enable-failed", in: name, cause: "Network or issuer failed after the terms.",
                    evidence: ["line": answer.line, "code": "40456"],
                    mend: "Look for the decision request of that moment at the issuer's host.")
            }
        }
        examineRefusals(lines, in: name, into: &diagnosis)
        for step in FailedStep.all(text) { step.report(in: name, into: &diagnosis) }
        for member in ["encryptedPassData", "activationData", "ephemeralPublicKey"] {
            guard let line = lines.first(where: { Self.isMissing(member, $0) }) else { continue }
            diagnosis.report(
                "log-member-missing", severity: member == "activationData" ? .warning : .defect, in: name,
                cause: "PassKit found \(member) missing.",
                evidence: ["line": String(line.prefix(200)), "member": member], mend: "Fill it before the completion handler is called.")
        }
        if let line = lines.first(where: Self.showsProxy) {
            diagnosis.report(
                "proxy-active", in: name, cause: "A proxy stood between the device and the broker, which refuses interception.",
                evidence: ["line": String(line.prefix(200))], mend: "Switch the proxy off, or leave Apple's hosts out of it.")
        }
    }

    /// A refusal of the broker that has no finding of its own: an attempt that failed must not read as sound.
    private func examineRefusals(_ lines: [Substring], in name: String, into diagnosis: inout Diagnosis) {
        guard !diagnosis.findings.contains(where: { $0.subject == name }) else { return }
        for answer in BrokerAnswer.all(lines) {
            let isRefused = answer.code != nil || answer.status.map { $0 >= 500 } ?? false
            guard isRefused, answer.isCards || answer.isEnable else { continue }
            diagnosis.report(
                "broker-refused", in: name,
                cause: answer.isEnable
                    ? "The broker refused the last step, after the terms." : "The broker refused the card's request, before the terms.",
                evidence: [
                    "line": answer.line, "status": answer.status.map(String.init) ?? "not in the log",
                    "code": answer.code.map(String.init) ?? "not in the log",
                ],
                mend:
                    "Compare app identifiers and Adam ID with the allow list, the configuration and the payload, and give the conversation's "
                    + "id to the network.")
            return
        }
    }

    /// PassKit's own words, not followed by a denial.
    private static func isMissing(_ member: String, _ line: Substring) -> Bool {
        guard let found = line.range(of: "\(member) missing"), !line[..<found.lowerBound].hasSuffix("no ") else { return false }
        return line[found.upperBound...].prefixMatch(of: /(?i)\w|\s*[:=]\s*(?:no|false|0|none)\b/) == nil
    }

    /// Settings that name a proxy, or an exchange with the broker that one broke.
    private static func showsProxy(_ line: Substring) -> Bool {
        if line.contains(/(?i)\bHTTPSEnable["']?\s*[:=]\s*["']?(?:1|true|yes)\b/) { return true }
        guard line.contains("/broker/"), line.contains(/(?i)\bprox(?:y|ied)\b/),
            !line.contains(
                /(?i)\b(?:no|not|without|bypass\w*)\s+(?:an?\s+|any\s+|the\s+)?prox|\bproxy["']?\s*[:=]?\s*["']?(?:none|off|no|0|null|nil|false|direct|disabled|\(null\)|<null>)/
            )
        else { return false }
        return line.contains(
            /(?i)-120[0-6]\b|certificate|untrusted|not trusted|intercept|\bTLS\b|\bSSL\b|\b407\b|CONNECT|\b(?:via|through|behind|by) (?:an? |the )?(?:https? )?proxy/
        )
    }
}

/// One answer of the broker in a device's log: the line that names the address, and what follows it up to the next.
private struct BrokerAnswer {
    var text: String
    /// The first line, for evidence.
    var line: String
    var isCards: Bool
    var isEnable: Bool
    /// HTTP's; nil where the log does not say.
    var status: Int?
    /// The body's.
    var code: Int?

    /// How many lines may belong to one answer.
    private static let reach = 20

    static func all(_ lines: [Substring]) -> [BrokerAnswer] {
        var answers: [BrokerAnswer] = []
        var index = 0
        while index < lines.count {
            let begin = index
            index += 1
            guard let path = lines[begin].firstMatch(of: /\/broker\/v4\/devices\/[^\/\s]+\/([\w\/\-]+)/) else { continue }
            while index < lines.count, index - begin < reach, !lines[index].contains("/broker/v4/") { index += 1 }
            let text = lines[begin..<index].joined(separator: "\n")
            let rest = lines[begin][path.range.upperBound...]
            let status =
                text.firstMatch(of: /(?i)(?:\bstatus(?:[ _-]?code)?["']?\s*[:=]?\s*|HTTP\/[\d.]+\s+)([1-5]\d\d)(?!\d)/)?.1
                ?? rest.prefixMatch(
                    of: /["'>)\]]*\s*(?:->|→|:|-|,|returned|answered|answers|response|failed with)?\s*\(?([1-5]\d\d)(?![\w.])/)?.1
            let code = text.firstMatch(of: /(?i)(?:\b|\berror[ _-]?)code["']?\s*[:=]?\s*["']?(\d{5})(?!\d)/)?.1
            answers.append(
                BrokerAnswer(
                    text: text, line: String(lines[begin].prefix(200)), isCards: path.1 == "cards", isEnable: path.1.hasSuffix("/enable"),
                    status: status.flatMap { Int($0) }, code: code.flatMap { Int($0) }))
        }
        return answers
    }
}
