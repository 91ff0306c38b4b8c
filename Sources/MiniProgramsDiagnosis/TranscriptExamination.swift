import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import MiniPrograms

/// What a run's transcript shows.
struct TranscriptExamination {
    let transcript: TranscriptArtifact
    let metadata: MetadataArtifact?

    func findings() -> [Finding] {
        features() + authorization() + payments() + requests() + scans() + locations() + updates() + scriptErrors()
    }

    private func finding(
        _ code: String, cause: String, evidence: [(String, String)], mend: String, severity: Finding.Severity = .defect
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
                "feature-missing", cause: "\(entry.name) failed with 4: its feature is not enabled for this mini program.",
                evidence: [("interface", entry.name), ("feature", feature)],
                mend: "Enable the feature \"\(feature)\" on the platform, and build a new version.")
        }
    }

    private func authorization() -> [Finding] {
        var result: [Finding] = []
        for (_, answer) in transcript.exchanges("getAuthCode") {
            result += ConsentFailure(answer.result).findings(subject: transcript.name)
                .filter { found in !result.contains { $0.code == found.code } }
        }
        // The container says when calls repeat that no tap made. A trace has the taps themselves.
        let isRepeated =
            transcript.marksTaps
            || transcript.entries.contains {
                $0.kind == "warning" && $0.body["text"]?.string?.hasPrefix("getAuthCode was called twice since") == true
            }
        let calls = longestRun()
        if isRepeated, calls >= 3 {
            result.append(
                finding(
                    "auth-loop", cause: "getAuthCode was called again and again on one page.", evidence: [("calls", String(calls))],
                    mend: "Do not call getAuthCode from onShow: the consent page's dismissal fires it again.", severity: .warning))
        }
        return result
    }

    /// The most calls of getAuthCode on one page without a tap between them.
    private func longestRun() -> Int {
        var (longest, current) = (0, 0)
        for entry in transcript.entries {
            switch entry.kind {
            case "opened", "tap": current = 0
            case "call" where entry.name == "getAuthCode": current += 1
            default: break
            }
            longest = max(longest, current)
        }
        return longest
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
                        cause: near == nil
                            ? "tradePay takes one of three forms, and got none or several."
                            : "An argument of tradePay has the wrong letter case.",
                        evidence: [("arguments", entry.arguments.members.map(\.key).joined(separator: ", "))],
                        mend: error.errorMessage + "."))
            }
        }
        for (_, answer) in transcript.exchanges("tradePay") where answer.body["ok"]?.bool == true {
            guard let code = answer.result["resultCode"]?.string else { continue }
            let ending = TradePayResultCode(reading: code)
            if !ending.isSettled {
                result.append(
                    finding(
                        "payment-not-final", cause: "tradePay ended with a code that is not final: the payment may have succeeded.",
                        evidence: [("resultCode", code)],
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
            case 11? where answer.result["errorMessage"]?.string?.contains(" was redirected: ") == true:
                result.append(
                    finding(
                        "redirect-left-list", cause: "The server sent the request on to a host that is not on the list.",
                        evidence: [("host", host), ("errorMessage", answer.result["errorMessage"]?.string ?? "")],
                        mend: "List the host that is redirected to as well, or answer without a redirect."))
            case 11?:
                // Edits of the list apply to versions built afterwards only (mini-programs.md#metadata).
                let isNew = metadata?.domains?.contains(host) == true && metadata?.builtDomains?.contains(host) == false
                result.append(
                    finding(
                        isNew ? "domain-after-build" : "domain-not-listed",
                        cause: isNew
                            ? "The host was listed after this version was built."
                            : "The host is not on the mini program's list of servers.",
                        evidence: [("host", host)],
                        mend: isNew ? "Build and release a new version." : "List the host on the platform, then build a new version."))
            case 19?:
                let status = answer.result["status"]?.integer.map(String.init) ?? "unknown"
                result.append(
                    finding(
                        "request-status", cause: "The server answered with an HTTP error, which goes to fail and not to success.",
                        evidence: [("host", host), ("status", status)], mend: "Handle the status in fail, and look at the server."))
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
                    "scan-member", cause: "A bar code was scanned, and the script read qrCode, which is there for QR codes alone.",
                    evidence: [("members", entry.result.members.map(\.key).joined(separator: ", "))],
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

    private func locations() -> [Finding] {
        guard transcript.exchanges("getLocation").contains(where: { $0.answer.error == 11 }) else { return [] }
        return [
            finding(
                "device-permission", cause: "The device or the person does not let the super app have the place.",
                evidence: [("interface", "getLocation"), ("error", "11")],
                mend: "Expect the refusal: simulators always allow it. Send the person to openSetting, and go on without the place.",
                severity: .warning)
        ]
    }

    /// Updates of the view that are too large or too many (mini-programs.md#view-updates).
    private func updates() -> [Finding] {
        var result: [Finding] = []
        for entry in transcript.entries {
            let text = entry.kind == "warning" ? entry.body["text"]?.string ?? "" : ""
            var (page, bytes) = ("", entry.kind == "setData" ? entry.body["bytes"]?.integer.map { Int($0) } ?? 0 : 0)
            if let hit = text.wholeMatch(of: /setData of ([0-9]+) bytes on (\S+): more than .*/) {
                (page, bytes) = (String(hit.2), Int(hit.1) ?? 0)
            } else if bytes <= Self.largeUpdate {
                continue
            }
            result.append(
                finding(
                    "set-data-large", cause: "One setData handed the view more than it takes at once.",
                    evidence: [("page", page), ("bytes", String(bytes))].filter { !$0.1.isEmpty },
                    mend: "Set only what changed, by path, and load long lists page by page.", severity: .warning))
            break
        }
        let times = Dictionary(
            grouping: transcript.entries.filter { $0.kind == "setData" && $0.body["at"] != nil }, by: { $0.body["page"]?.string ?? "" })
        for (page, entries) in times.sorted(by: { $0.key < $1.key }) {
            let most = Self.most(of: entries.compactMap { $0.body["at"]?.integer }, within: 1_000)
            guard most > Self.frequentUpdates else { continue }
            result.append(
                finding(
                    "set-data-often", cause: "A page handed the view an update more often than a person can see.",
                    evidence: [("page", page), ("updates in a second", String(most))],
                    mend: "Do not call setData for every frame: use an animation, or set the end alone.", severity: .warning))
        }
        return result
    }

    /// The most of these rising times that lie within one span.
    private static func most(of times: [Int64], within span: Int64) -> Int {
        var (start, most) = (0, 0)
        for (end, time) in times.enumerated() {
            while time - times[start] >= span { start += 1 }
            most = max(most, end - start + 1)
        }
        return most
    }

    /// Bytes of one update, and updates in a second, above which the author is told. The figures are ours [I].
    private static let largeUpdate = 262_144
    private static let frequentUpdates = 30

    private func scriptErrors() -> [Finding] {
        // A step that names no method is the run's own script, and not the program's.
        let errors = transcript.entries.filter { $0.kind == "error" && $0.body["code"]?.string != "unknown-handler" }
        var result: [Finding] = []
        for error in errors {
            guard let name = Self.absentBuiltIn(in: error.body["message"]?.string ?? "") else { continue }
            result.append(
                finding(
                    "built-in-missing", cause: "A script used what a browser or simulator has and a mini program does not.",
                    evidence: [("name", name), ("where", place(of: error))],
                    mend: "Call my instead (request, setStorage, createSelectorQuery), or bring the function along in a module."))
            break
        }
        guard let error = errors.first(where: { Self.absentBuiltIn(in: $0.body["message"]?.string ?? "") == nil }) else { return result }
        let place = place(of: error)
        return result + [
            finding(
                "script-error", cause: "A script of the mini program failed.",
                evidence: [("where", place), ("message", error.body["message"]?.string ?? "")],
                mend: "Mend the script at \(place). An error while a page's module loads leaves the screen white.")
        ]
    }

    /// The name in the engine's message for a built-in that is not there.
    private static func absentBuiltIn(in message: String) -> String? {
        guard let mark = message.range(of: "Can't find variable: ") else { return nil }
        let name = message[mark.upperBound...].prefix { $0.isLetter || $0.isNumber }
        return AbsentBuiltIns.names.first { $0 == name }
    }

    private func place(of error: TranscriptArtifact.Entry) -> String {
        let file = error.body["file"]?.string ?? "unknown file"
        return error.body["line"]?.integer.map { "\(file):\($0)" } ?? file
    }
}
