import BillfoldDiagnosis
import MiniPrograms
import Testing

/// A set of artifacts, good until a fault is put in. Names and values are drawn from a seed.
private struct MiniProgramCase {
    var metadata: [String: String]
    var features = ["auth", "payment", "scan"]
    var domains: [String]
    var built: [String]
    var entries: [String] = []
    var tokens: [String] = []
    var link: String
    var files = LintTests.good
    var random: Seeded
    let app: String
    let client: String
    let host: String

    init(seed: UInt64) {
        random = Seeded(state: seed)
        app = "20\(random.next() % 1_000_000_000)"
        client = "CLIENT\(random.next() % 100_000)"
        host = "api\(random.next() % 1_000).merchant.test"
        metadata = ["appId": app, "authClientId": client, "releaseVersion": "1.0.\(random.next() % 9)"]
        (domains, built) = ([host], [host])
        link = "alipays://platformapi/startapp?appId=\(app)&page=pages%2Fa%3Fx%3D1%26y%3D2"
        entries = [
            #"{"kind":"opened","page":"pages/a/a"}"#, call("getAuthCode", "{}"),
            answer("getAuthCode", #"{"authCode":"c\#(random.next())"}"#),
            call("tradePay", #"{"tradeNO":"\#(random.next())"}"#), answer("tradePay", #"{"resultCode":"9000"}"#),
            call("request", #"{"url":"https://\#(host)/x"}"#), answer("request", #"{"status":200}"#), call("scan", "{}"),
            answer("scan", #"{"code":"q\#(random.next())","qrCode":"q"}"#),
        ]
        tokens = [token(code: "code-\(random.next())")]
    }

    func call(_ name: String, _ arguments: String) -> String { #"{"kind":"call","name":"\#(name)","arguments":\#(arguments)}"# }

    func answer(_ name: String, _ result: String, ok: Bool = true) -> String {
        #"{"kind":"answer","name":"\#(name)","ok":\#(ok),"result":\#(result)}"#
    }

    func token(code: String, client: String? = nil) -> String {
        #"{"appId":"\#(app)","authClientId":"\#(client ?? self.client)","grantType":"AUTHORIZATION_CODE","authCode":"\#(code)"}"#
    }

    var artifacts: [Artifact] {
        func list(_ values: [String]) -> String { "[" + values.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        let members = metadata.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
        let meta = "{\(members),\"features\":\(list(features)),\"serverDomains\":\(list(domains)),\"builtServerDomains\":\(list(built))}"
        var texts = files
        texts["metadata.json"] = meta
        texts["run.json"] = "{\"entries\":[\(entries.joined(separator: ","))]}"
        texts["link.txt"] = link
        for (index, token) in tokens.enumerated() { texts["token-\(index).json"] = token }
        return texts.sorted { $0.key < $1.key }.map { Artifact(name: $0.key, bytes: Array($0.value.utf8)) }
    }

    func codes() -> [String] { MiniProgramDiagnostician().examine(artifacts).findings.map(\.code) }
}

/// How each listed failure is made.
private let faults: [String: @Sendable (inout MiniProgramCase) -> Void] = [
    "mini-program.auth-client-unset": {
        $0.metadata["authClientId"] = nil
        $0.tokens = []
    },
    "mini-program.auth-client-is-app-id": {
        $0.metadata["authClientId"] = $0.app
        $0.tokens = []
    },
    "mini-program.feature-missing": {
        $0.features.removeAll { $0 == "payment" }
        $0.entries += [$0.call("tradePay", #"{"orderStr":"o"}"#), $0.answer("tradePay", #"{"error":4,"errorMessage":"no"}"#, ok: false)]
    },
    "mini-program.consent-not-cached": {
        $0.entries += [
            $0.call("getAuthCode", "{}"),
            $0.answer("getAuthCode", #"{"error":3,"errorMessage":"The super app still answered 2001"}"#, ok: false),
        ]
    },
    "mini-program.auth-in-on-show": { $0.files["pages/a/a.js"] = "Page({ onShow() { my.getAuthCode({}) } })" },
    "mini-program.auth-loop": { $0.entries += Array(repeating: $0.call("getAuthCode", "{}"), count: 2 + Int($0.random.next() % 5)) },
    "mini-program.code-reused": { $0.tokens.append($0.tokens[0]) },
    "mini-program.code-of-other-client": { $0.tokens = [$0.token(code: "code-\($0.random.next())", client: "OTHER")] },
    "mini-program.trade-pay-forms": {
        $0.entries.append($0.call("tradePay", $0.random.next() % 2 == 0 ? "{}" : #"{"tradeNO":"1","orderStr":"2"}"#))
    },
    "mini-program.trade-pay-case": { $0.entries.append($0.call("tradePay", #"{"tradeNo":"\#($0.random.next())"}"#)) },
    "mini-program.trade-no-case": { $0.files["pages/a/a.js"] = "my.tradePay({ tradeNo: no\($0.random.next()) })" },
    "mini-program.payment-not-final": {
        $0.entries += [
            $0.call("tradePay", #"{"orderStr":"o"}"#),
            $0.answer("tradePay", #"{"resultCode":"\#($0.random.next() % 2 == 0 ? "6004" : "8000")"}"#),
        ]
    },
    "mini-program.result-code-number": { $0.files["pages/a/a.js"] = "if (res.resultCode === 9000) { ok() }" },
    "mini-program.domain-not-listed": {
        $0.entries += [
            $0.call("request", #"{"url":"https://h\#($0.random.next() % 99).other.test/"}"#),
            $0.answer("request", #"{"error":11}"#, ok: false),
        ]
    },
    "mini-program.domain-after-build": {
        $0.built = []
        $0.entries += [$0.call("request", #"{"url":"https://\#($0.host)/y"}"#), $0.answer("request", #"{"error":11}"#, ok: false)]
    },
    "mini-program.request-status": {
        $0.entries += [
            $0.call("request", #"{"url":"https://\#($0.host)/y"}"#),
            $0.answer("request", #"{"error":19,"status":\#(400 + $0.random.next() % 99)}"#, ok: false),
        ]
    },
    "mini-program.script-error": {
        $0.entries.append(#"{"kind":"error","message":"x is not defined","file":"pages/a/a.js","line":\#(1 + $0.random.next() % 50)}"#)
    },
    "mini-program.path-case": { $0.files["pages/a/A.axml"] = $0.files.removeValue(forKey: "pages/a/a.axml") },
    "mini-program.page-file": { $0.files["pages/a/a.js"] = nil },
    "mini-program.component-missing": { $0.files["components/cup/cup.json"] = nil },
    "mini-program.component-flag": { $0.files["components/cup/cup.json"] = "{}" },
    "mini-program.link-truncated": {
        $0.link = "alipays://platformapi/startapp?appId=\($0.app)&page=pages/a?x=1&y=\($0.random.next() % 9)"
    },
    "mini-program.scan-member": {
        $0.entries += [
            $0.call("scan", "{}"), $0.answer("scan", #"{"code":"69\#($0.random.next())","barCode":"69"}"#),
            #"{"kind":"setData","page":"pages/a/a","changes":[{"path":"code","value":null}]}"#,
        ]
    },
]

@Suite struct DiagnosisTests {
    @Test func goodArtifactsHaveNoFinding() {
        for seed in 0..<200 as Range<UInt64> {
            let findings = MiniProgramCase(seed: seed).codes()
            #expect(findings.isEmpty, "seed \(seed): \(findings)")
        }
    }

    @Test func everyListedFailureIsMade() {
        #expect(Set(MiniProgramFailure.listed.map(\.code)) == Set(faults.keys))
    }

    @Test(arguments: MiniProgramFailure.listed.map(\.code))
    func failureIsFoundAloneInTwentyInstances(code: String) throws {
        let fault = try #require(faults[code])
        for seed in 1...20 as ClosedRange<UInt64> {
            var instance = MiniProgramCase(seed: seed &* 7_919)
            fault(&instance)
            #expect(instance.codes() == [code], "seed \(seed)")
        }
    }

    @Test func pairsOfFailuresAreBothFound() throws {
        // Both change the same file or the same member, so that one hides the other.
        let same: [Set<String>] = [
            ["auth-in-on-show", "trade-no-case", "result-code-number", "page-file"], ["auth-client-unset", "auth-client-is-app-id"],
            ["component-missing", "component-flag"], ["code-reused", "code-of-other-client", "auth-client-unset", "auth-client-is-app-id"],
        ].map { Set($0.map { "mini-program.\($0)" }) }
        for (first, one) in faults {
            for (second, other) in faults where first < second && !same.contains(where: { $0.isSuperset(of: [first, second]) }) {
                var instance = MiniProgramCase(seed: 31)
                one(&instance)
                other(&instance)
                #expect(Set(instance.codes()).isSuperset(of: [first, second]), "\(first) and \(second)")
            }
        }
    }

    @Test func evidenceIsMeasuredAndNoCodeIsShown() throws {
        var instance = MiniProgramCase(seed: 5)
        instance.tokens = [instance.token(code: "s3cret-code"), instance.token(code: "s3cret-code")]
        instance.entries += [
            instance.call("request", #"{"url":"https://h.other.test/?k=s3cret-code"}"#),
            instance.answer("request", #"{"error":11}"#, ok: false),
        ]
        let findings = MiniProgramDiagnostician().examine(instance.artifacts).findings
        #expect(findings.map(\.code) == ["mini-program.domain-not-listed", "mini-program.code-reused"])
        #expect(findings.first?.evidence == [.init("host", "h.other.test")])
        #expect(findings.last?.subject == "token-1.json" && findings.last?.evidence == [.init("also in", "token-0.json")])
        #expect(!"\(findings)".contains("s3cret-code"))
    }

    @Test func strangersFilesAreLeftAlone() {
        for text in ["", "{", "[]", "{}", #"{"appId":"x"}"#, #"{"entries":[1]}"#, "alipay", "\u{FFFD}"] {
            let diagnosis = MiniProgramDiagnostician().examine([Artifact(name: "x", bytes: Array(text.utf8))])
            #expect(diagnosis.identified.isEmpty && diagnosis.findings.isEmpty, "\(text)")
        }
        #expect(MiniProgramDiagnostician().examine([Artifact(name: "x", bytes: [0xff, 0xfe])]).identified.isEmpty)
    }
}
