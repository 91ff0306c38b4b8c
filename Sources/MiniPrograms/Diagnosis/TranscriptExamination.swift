import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// What a run's transcript shows.
struct TranscriptExamination {
    let transcript: TranscriptArtifact
    let metadata: MetadataArtifact?

    func findings() -> [Finding] {
        features() + authorization() + payments() + requests() + scans() + scriptErrors()
    }

    private func finding(
        _ code: String, _ cause: String, _ evidence: [(String, String)], mend: String, severity: Finding.Severity = .defect
    ) -> Finding {
        Finding(
            code: "mini-program.\(code)", severity: severity, subject: transcript.name, cause: cause,
            evidence: evidence.map { .init($0.0, String($0.1.prefix(128))) }, mend: mend)
    }

    private func features() -> [Finding] {
        var named: Set<String> = []
        return transcript.entries.compactMap { entry in
            guard entry.kind == "answer", entry.error == 4, let feature = JSAPICatalogue.standard[entry.name]?.permission.feature,
                metadata?.features?.contains(feature) != true, named.insert(entry.name).inserted
            else { return nil }
            return finding(
                "feature-missing", "\(entry.name) failed with 4: its feature is not enabled for this mini program.",
                [("interface", entry.name), ("feature", feature)],
                mend: "Enable the feature \"\(feature)\" on the platform, and build a new version.")
        }
    }

    private func authorization() -> [Finding] {
        var result: [Finding] = []
        for (_, answer) in transcript.exchanges("getAuthCode") {
            let message = answer.result["errorMessage"]?.string ?? ""
            if message.contains("2001") || message.contains("did not remember") {
                result.append(
                    finding(
                        "consent-not-cached", "Agreement was still pending after the person had agreed.", [("errorMessage", message)],
                        mend: "Remember the agreed scopes by user and mini program before showAuthPage answers."))
                break
            }
        }
        // Without a page opened and without a tap between them, calls repeat by themselves.
        var calls = 0
        for entry in transcript.entries {
            switch entry.kind {
            case "opened", "tap": calls = 0
            case "call" where entry.name == "getAuthCode": calls += 1
            default: break
            }
            if calls == 3 {
                result.append(
                    finding(
                        "auth-loop", "getAuthCode was called three times on one page.", [("calls", "3 or more")],
                        mend: "Do not call getAuthCode from onShow: the consent page's dismissal fires it again.", severity: .warning))
                break
            }
        }
        return result
    }

    private func payments() -> [Finding] {
        var result: [Finding] = []
        for entry in transcript.entries where entry.kind == "call" && entry.name == "tradePay" {
            do throws(JSAPIFailure) {
                _ = try TradePayOrder(entry.arguments)
            } catch {
                let near = entry.arguments.members.first { member in
                    ["tradeNO", "orderStr", "paymentUrl"].contains { $0 != member.key && $0.lowercased() == member.key.lowercased() }
                }
                result.append(
                    finding(
                        near == nil ? "trade-pay-forms" : "trade-pay-case",
                        near == nil
                            ? "tradePay takes one of three forms, and got none or several."
                            : "An argument of tradePay has the wrong letter case.",
                        [("arguments", entry.arguments.members.map(\.key).joined(separator: ", "))], mend: error.errorMessage + "."))
            }
        }
        for (_, answer) in transcript.exchanges("tradePay") where answer.body["ok"]?.bool == true {
            guard let code = answer.result["resultCode"]?.string else { continue }
            let ending = TradePayResultCode(reading: code)
            if !ending.isSettled {
                result.append(
                    finding(
                        "payment-not-final", "tradePay ended with a code that is not final: the payment may have succeeded.",
                        [("resultCode", code)],
                        mend: "Show \"being confirmed\", and let the shop's server ask or wait for its notification.", severity: .warning))
            }
        }
        return result
    }

    private func requests() -> [Finding] {
        var result: [Finding] = []
        for (arguments, answer) in transcript.exchanges("request") + transcript.exchanges("httpRequest") {
            let host = arguments["url"]?.string.flatMap { URL(string: $0)?.host() }?.lowercased() ?? "unknown"
            switch answer.error {
            case 11?:
                // Edits of the list apply to versions built afterwards only (reference 5.1).
                let isNew = metadata?.domains?.contains(host) == true && metadata?.builtDomains?.contains(host) == false
                result.append(
                    finding(
                        isNew ? "domain-after-build" : "domain-not-listed",
                        isNew
                            ? "The host was listed after this version was built."
                            : "The host is not on the mini program's list of servers.",
                        [("host", host)],
                        mend: isNew ? "Build and release a new version." : "List the host on the platform, then build a new version."))
            case 19?:
                let status = answer.result["status"]?.integer.map(String.init) ?? "unknown"
                result.append(
                    finding(
                        "request-status", "The server answered with an HTTP error, which goes to fail and not to success.",
                        [("host", host), ("status", status)], mend: "Handle the status in fail, and look at the server."))
            default: break
            }
        }
        return result
    }

    private func scans() -> [Finding] {
        for (index, entry) in transcript.entries.enumerated() where entry.kind == "answer" && entry.name == "scan" {
            guard entry.body["ok"]?.bool == true, entry.result["barCode"] != nil, entry.result["qrCode"] == nil else { continue }
            // What a script made of the missing member shows in its next update.
            let next = transcript.entries[(index + 1)...].first { ["setData", "error"].contains($0.kind) }
            guard let next,
                next.kind == "error" ? (next.body["message"]?.string ?? "").contains("undefined") : shows(next, nothingOf: entry.result)
            else { continue }
            return [
                finding(
                    "scan-member", "A bar code was scanned, and the script read qrCode, which is there for QR codes alone.",
                    [("members", entry.result.members.map(\.key).joined(separator: ", "))],
                    mend: "Read code: it is always there.")
            ]
        }
        return []
    }

    /// Whether an update after a scan carries an empty value and nothing of what was read.
    private func shows(_ update: TranscriptArtifact.Entry, nothingOf result: JSONObject) -> Bool {
        let text = update.body["changes"]?.text ?? ""
        guard let code = (result["code"] ?? result["barCode"])?.string, !code.isEmpty else { return false }
        return !text.contains(code) && (text.contains("null") || text.contains("undefined"))
    }

    private func scriptErrors() -> [Finding] {
        guard let error = transcript.entries.first(where: { $0.kind == "error" }) else { return [] }
        var place = error.body["file"]?.string ?? "unknown file"
        if let line = error.body["line"]?.integer { place += ":\(line)" }
        return [
            finding(
                "script-error", "A script of the mini program failed.",
                [("where", place), ("message", error.body["message"]?.string ?? "")],
                mend: "Mend the script at \(place). An error while a page's module loads leaves the screen white.")
        ]
    }
}
