import BillfoldDiagnosis
import Foundation

/// Looks at one source file for slips that are known to hurt: left-overs of another framework, payment mistakes, secrets.
///
/// It reads text and no syntax: it warns, but for secrets, which must not be in a package however they are written.
struct SourceLint {
    let path: String
    let bytes: [UInt8]
    /// In lower case; nil where addresses are not looked at.
    var serverDomains: [String]?

    func findings() -> [Finding] {
        switch path.split(separator: ".").last {
        case "js", "ts", "sjs": script()
        case "axml": template()
        case "wxml", "wxss", "wxs": [foreignFile()]
        case "pem", "p12", "pfx", "key", "env":
            [
                add(
                    "secret", "A key file lies in the package: everyone who has the mini program has it.",
                    mend: "Take it out, and make a new key.")
            ]
        default: secrets()
        }
    }

    private func script() -> [Finding] {
        guard !path.contains("node_modules/") else { return [] }
        return lines(script: [
            (
                #"\bwx\.\w+\("#, "wechat-call", "A call of another framework is left over: there is no wx here.",
                "Call my instead; the names differ."
            ),
            (
                #"resultCode\s*===\s*\d"#, "result-code-number",
                "resultCode is compared with a number by ===, and it is a text: the comparison is never true.",
                "Compare with a text: \"9000\"."
            ),
            (#"\btradeNo\s*:"#, "trade-no-case", "The argument of tradePay is tradeNO: letter case counts.", "Rename tradeNo to tradeNO."),
            (
                #"\beval\s*\(|\bnew\s+Function\s*\("#, "eval", "Code is made from text, which the container turns off.",
                "Write the code out, or read data with JSON.parse."
            ),
        ]) + authInShow() + builtIns() + addresses() + secrets()
    }

    private func builtIns() -> [Finding] {
        guard bytes.count <= Self.readLimit, let use = AbsentBuiltIns.use(in: String(decoding: bytes, as: UTF8.self)) else { return [] }
        var finding = add(
            "absent-built-in", "The script uses what a browser or simulator has and a mini program does not.",
            mend: "Call my instead (request, setStorage, createSelectorQuery), or bring the function along in a module.", severity: .warning
        )
        finding.evidence = [.init("name", use.name), .init("line", String(use.line))]
        return [finding]
    }

    /// Addresses that `url` is given and that the list of servers does not have. Another scheme than https is on no list.
    private func addresses() -> [Finding] {
        guard let serverDomains, bytes.count <= Self.readLimit else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        var seen: Set<String> = []
        return text.matches(of: /\burl\s*:\s*["'`](https?):\/\/([A-Za-z0-9.:-]+)/).compactMap { hit in
            let host = hit.2.lowercased()
            let isListed =
                serverDomains.contains(host) || host.firstIndex(of: ".").map { serverDomains.contains("*" + host[$0...]) } == true
            guard hit.1 != "https" || !isListed, seen.insert("\(hit.1)://\(host)").inserted else { return nil }
            var finding = add(
                "address-not-listed", "A script asks a server that the mini program's list does not have: the request fails with 11.",
                mend: "List the host on the platform and build a new version, or mend the address. Only https is taken.")
            finding.evidence = [
                .init("address", "\(hit.1)://\(host)"), .init("line", String(text[..<hit.range.lowerBound].count(where: \.isNewline) + 1)),
            ]
            return finding
        }
    }

    private func template() -> [Finding] {
        lines(script: [
            (
                #"\swx:(if|for|elif|else|key)"#, "wechat-attribute", "An attribute of another framework is left over.",
                "Write a: instead of wx:."
            ),
            (
                #"\sbind(tap|input|change|submit)\s*=|\sbind:\w+"#, "wechat-attribute", "An event of another framework is left over.",
                "Write onTap and its like."
            ),
        ])
    }

    private func foreignFile() -> Finding {
        add(
            "wechat-file", "A file of another framework lies in the package: nothing reads it.", mend: "Rename or remove it.",
            severity: .warning)
    }

    /// A getAuthCode inside of onShow, which the consent page's dismissal fires again (mini-programs.md#consent-rules).
    private func authInShow() -> [Finding] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.range(of: #"\bonShow\s*(\(|:\s*(async\s+)?function|:\s*(async\s*)?\()"#, options: .regularExpression),
            let call = text.range(of: "getAuthCode", range: start.upperBound..<text.endIndex)
        else { return [] }
        let between = text[start.upperBound..<call.lowerBound]
        // Inside of the function as long as more braces were opened than closed.
        guard between.count(where: { $0 == "{" }) > between.count(where: { $0 == "}" }) else { return [] }
        return [
            add(
                "auth-in-on-show", "getAuthCode is called from onShow: the consent page's dismissal fires it again, for ever.",
                mend: "Call it from onLoad or a tap.", severity: .warning)
        ]
    }

    private func secrets() -> [Finding] {
        lines(
            script: [
                (
                    #"-----BEGIN [A-Z ]*PRIVATE KEY-----"#, "secret",
                    "A private key lies in the package: everyone who has the mini program has it.", Self.take
                ),
                (
                    #"(?i)\b(app_?secret|client_?secret|secret_?key|private_?key|access_?key_?secret)\b["']?\s*[:=]\s*["'][^"']{8,}["']"#,
                    "secret",
                    "A secret lies in the package: everyone who has the mini program has it.", Self.take
                ),
            ], severity: .defect, showsText: false)
    }

    private static let readLimit = 512 * 1024

    private static let take = "Take it out, make a new one, and keep it on the server."

    private func lines(
        script rules: [(pattern: String, code: String, cause: String, mend: String)], severity: Finding.Severity = .warning,
        showsText: Bool = true
    ) -> [Finding] {
        // Bundles of one endless line are not what an author wrote.
        guard bytes.count <= Self.readLimit else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return rules.compactMap { rule in
            guard let hit = text.range(of: rule.pattern, options: .regularExpression) else { return nil }
            let line = text[..<hit.lowerBound].count(where: \.isNewline) + 1
            var finding = add(rule.code, rule.cause, mend: rule.mend, severity: severity)
            finding.evidence = [.init("line", String(line))]
            if showsText { finding.evidence.append(.init("text", String(text[hit].prefix(60)).trimmingCharacters(in: .whitespaces))) }
            return finding
        }
    }

    private func add(_ code: String, _ cause: String, mend: String, severity: Finding.Severity = .defect) -> Finding {
        Finding(code: "mini-program.\(code)", severity: severity, subject: path, cause: cause, mend: mend)
    }
}
