import BillfoldDiagnosis
import MiniProgramsDiagnosis
import Testing

@Suite struct DiagnosisTests {
    @Test func thousandGoodCasesHaveNoFinding() throws {
        for seed in 0..<1_000 as Range<UInt64> {
            var instance = MiniProgramCase(seed: seed)
            // Reading files takes most of the time, and these are much alike.
            if seed % 5 != 0 { instance.files = [:] }
            let diagnosis = try instance.examine()
            #expect(diagnosis.findings.isEmpty, "seed \(seed): \(diagnosis.findings)")
            guard seed == 0 else { continue }
            let kinds = Set(diagnosis.identified.map(\.kind))
            #expect(
                kinds.isSuperset(
                    of: ["apply-token", "consent-failure", "link", "metadata", "package", "source", "trace", "transcript", "web-page"].map {
                        "mini-program.\($0)"
                    }))
        }
    }

    @Test func everyListedFailureIsMade() {
        #expect(Set(MiniProgramFailure.listed.map(\.code)) == Set(MiniProgramFault.all.keys))
    }

    @Test(arguments: MiniProgramFailure.listed.map(\.code))
    func failureIsFoundAloneInTwentyInstances(code: String) throws {
        let fault = try #require(MiniProgramFault.all[code])
        for seed in 1...20 as ClosedRange<UInt64> {
            var instance = MiniProgramCase(seed: seed &* 7_919)
            let evidence = fault(&instance)
            let findings = try instance.examine().findings
            #expect(findings.map(\.code) == [code], "seed \(seed): \(findings)")
            guard let evidence, let found = findings.first else { continue }
            #expect(found.evidence.contains(.init(evidence.name, evidence.value)), "seed \(seed): \(found.evidence), not \(evidence)")
        }
    }

    @Test func pairsOfFailuresAreBothFound() throws {
        var pairs = 0
        for (first, one) in MiniProgramFault.all {
            for (second, other) in MiniProgramFault.all where first < second {
                func short(_ code: String) -> String { String(code.dropFirst("mini-program.".count)) }
                if MiniProgramFault.hide(short(first), short(second)) { continue }
                var instance = MiniProgramCase(seed: 31 &+ UInt64(pairs))
                let files = instance.files
                _ = one(&instance)
                _ = other(&instance)
                // Reading files takes most of the time.
                if instance.files == files { instance.files = [:] }
                let found = Set(try instance.examine().findings.map(\.code))
                #expect(found.isSuperset(of: [first, second]), "\(first) and \(second): \(found)")
                pairs += 1
            }
        }
        #expect(pairs > 850, "\(pairs)")
    }

    @Test func noCodeTokenOrSecretIsShown() throws {
        var instance = MiniProgramCase(seed: 5)
        instance.tokens = [instance.token(code: "s3cret-code"), instance.token(code: "s3cret-code")]
        instance.entries += [
            instance.call("request", #"{"url":"https://h.other.test/?k=s3cret-code"}"#),
            instance.answer("request", #"{"error":11}"#, ok: false),
        ]
        instance.files["util/pay.js"] = "const appSecret = 's3cret-code'"
        let findings = try instance.examine().findings
        #expect(
            Set(findings.map(\.code)) == ["mini-program.secret", "mini-program.domain-not-listed", "mini-program.code-reused"],
            "\(findings)")
        #expect(!"\(findings)".contains("s3cret-code"))
    }

    @Test func aProgramsOwnIDForItsClientIsNamedWhereverItIs() throws {
        var instance = MiniProgramCase(seed: 7)
        instance.tokens = [instance.token(code: "c-1", client: instance.app)]
        let finding = try #require(try instance.examine().findings.first)
        #expect(finding.code == "mini-program.auth-client-is-app-id" && finding.subject == "token-0.json")
        #expect(finding.evidence == [.init("authClientId", instance.app)])
    }

    @Test func manifestThatCannotBeReadIsTold() throws {
        var instance = MiniProgramCase(seed: 8)
        instance.package.change = { $0["manifest.json"]?.append(0x0A) }
        let findings = try instance.examine().findings
        #expect(findings.map(\.code) == ["mini-program.package-changed"])
        #expect(findings.first?.evidence == [.init("reason", "the manifest is not in its one form")])
    }

    @Test func findingsOfAPackageNameItsFiles() throws {
        var instance = MiniProgramCase(seed: 9)
        instance.package.change = { $0["app.json"] = Array(#"{"pages":["a","b"]}"#.utf8) }
        let findings = try instance.examine().findings
        #expect(Set(findings.map(\.subject)) == ["tea.zip", "tea.zip/app.json"])
        #expect(findings.map(\.code).contains("mini-program.page-file"))
    }

    @Test func strangersFilesAreLeftAlone() {
        let texts = [
            "", "{", "[]", "{}", #"{"appId":"x"}"#, #"{"entries":[1]}"#, "alipay", "\u{FFFD}", #"{"error":3,"errorMessage":"x"}"#,
            "alipay://alipayclient/?%7B%7D", "alipays://platformapi/startApp?appId=20000125&orderSuffix=x",
            "alipays://platformapi/startapp?appId=20000125&orderSuffix=a%3Db", "alipays://platformapi/startapp?saId=10000007&qrcode=x",
            "https://ds.alipay.com/?from=web", "<html><script>dummy.getEnv()</script></html>", "<html>my.getEnv</html>",
            "-----BEGIN PUBLIC KEY-----", #"{"billfold-trace-of-another":1}"#, "PK\u{3}\u{4}manifest.jso",
        ]
        for text in texts {
            let diagnosis = MiniProgramDiagnostician(archives: TestArchives()).examine([Artifact(name: "x", bytes: Array(text.utf8))])
            #expect(diagnosis.identified.isEmpty && diagnosis.findings.isEmpty, "\(text): \(diagnosis)")
        }
        #expect(MiniProgramDiagnostician().examine([Artifact(name: "x", bytes: [0xff, 0xfe])]).identified.isEmpty)
    }
}
