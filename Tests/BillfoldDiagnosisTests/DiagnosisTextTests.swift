import BillfoldDiagnosis
import Testing

struct DiagnosisTextTests {
    let diagnosis = Diagnosis(
        identified: [.init(artifact: "token.json", kind: "apple-pay.token", summary: "Apple Pay token, EC_v1")],
        findings: [
            Finding(
                code: "apple-pay.wrong-key", subject: "token.json", cause: "The token was made for another key.",
                evidence: [.init("publicKeyHash", "9f86"), .init("held", "none")], mend: "Load the old key beside the new one."),
            Finding(code: "key.ends-soon", severity: .warning, subject: "key.pem", cause: "It ends in nine days.", mend: "Renew it."),
        ])

    @Test func reportNamesArtifactCauseEvidenceAndMend() {
        #expect(
            DiagnosisText(width: 80).render(diagnosis) == """
                token.json: Apple Pay token, EC_v1
                    apple-pay.token

                defect apple-pay.wrong-key in token.json
                    The token was made for another key.
                      publicKeyHash  9f86
                      held           none
                    mend: Load the old key beside the new one.

                warning key.ends-soon in key.pem
                    It ends in nine days.
                    mend: Renew it.

                1 defect, 1 warning

                """)
    }

    private struct Naming: Diagnostician {
        var kind: String
        func examine(_ artifacts: [Artifact]) -> Diagnosis {
            Diagnosis(identified: artifacts.map { .init(artifact: $0.name, kind: kind, summary: "as \(kind)") })
        }
    }

    /// Every protocol has a use for a key, and one file is one key.
    @Test(arguments: [
        (["provisioning.public-key", "public-key", "public-key"], ["public-key"]),
        (["provisioning.public-key"], ["provisioning.public-key"]),
        (["private-key", "private-key"], ["private-key"]),
        (["provisioning.request", "provisioning.not-opened"], ["provisioning.request", "provisioning.not-opened"]),
    ]) func aKeyIsListedOnce(kinds: [String], listed: [String]) {
        let files = ["a.pub", "b.pub"].map { Artifact(name: $0, bytes: []) }
        let diagnosis = Diagnosis(of: files, by: kinds.map(Naming.init))
        for file in files { #expect(diagnosis.identified.filter { $0.artifact == file.name }.map(\.kind) == listed) }
        #expect(diagnosis.findings.isEmpty)
    }

    private struct Knowing: Diagnostician {
        var name: String
        func examine(_ artifacts: [Artifact]) -> Diagnosis {
            Diagnosis(identified: artifacts.filter { $0.name == name }.map { .init(artifact: $0.name, kind: "known", summary: "known") })
        }
    }

    @Test func fileThatNobodyKnowsIsNotCalledGood() {
        let artifacts = ["a", "b", "c"].map { Artifact(name: $0, bytes: [1, 2]) }
        let diagnosis = Diagnosis(of: artifacts, by: [Knowing(name: "a"), Knowing(name: "c")])
        #expect(diagnosis.identified.map(\.kind) == ["known", "known", "unknown"])
        #expect(diagnosis.findings.map(\.code) == ["unknown-artifact"] && diagnosis.findings.map(\.subject) == ["b"])
        #expect(!DiagnosisText().render(diagnosis).contains("nothing wrong"))
        #expect(Diagnosis(of: Array(artifacts.prefix(1)), by: [Knowing(name: "a")]).findings == [])
    }

    @Test func nothingWrongIsSaid() { #expect(DiagnosisText().render(Diagnosis()) == "nothing wrong was found\n") }

    /// What nobody could open must not read as good.
    @Test func whatWasNotLookedAtIsSaid() {
        var partial = Diagnosis(
            identified: [
                .init(
                    artifact: "order.txt", kind: "alipay.message", summary: "an order",
                    unjudged: .init("its signature", need: "the merchant's public key"))
            ])
        #expect(
            DiagnosisText().render(partial) == """
                order.txt: an order
                    alipay.message

                not looked at in order.txt: its signature
                    hand over: the merchant's public key

                nothing wrong was found in what was looked at

                """)
        partial.findings = diagnosis.findings
        let text = DiagnosisText().render(partial)
        #expect(text.contains("not looked at in order.txt") && text.hasSuffix("\n1 defect, 1 warning\n") && !text.contains("nothing wrong"))
    }

    @Test func linesStayInsideTheWidth() {
        let long = Finding(
            code: "x", subject: "y", cause: String(repeating: "word ", count: 90),
            evidence: [.init("name", String(repeating: "ab ", count: 80))],
            mend: String(repeating: "mend ", count: 60))
        let lines = DiagnosisText(width: 60).render(Diagnosis(findings: [long])).split(separator: "\n")
        #expect(lines.count > 12 && lines.allSatisfy { $0.count <= 60 })
    }

    @Test(arguments: ["\u{1b}[2J", "\u{7}", "\u{202e}", "a\rb", "\u{9b}31m", "\u{2028}"])
    func artifactCannotDriveTheTerminal(hostile: String) {
        let finding = Finding(code: hostile, subject: hostile, cause: hostile, evidence: [.init(hostile, hostile)], mend: hostile)
        let text = DiagnosisText().render(
            Diagnosis(identified: [.init(artifact: hostile, kind: hostile, summary: hostile)], findings: [finding]))
        let unwanted = text.unicodeScalars.filter {
            $0 != "\n" && [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
        }
        #expect(unwanted.isEmpty)
    }

    @Test func colourIsOnlyWhereItIsAskedFor() {
        #expect(!DiagnosisText().render(diagnosis).contains("\u{1b}"))
        #expect(DiagnosisText(usesColour: true).render(diagnosis).contains("\u{1b}[31mdefect\u{1b}[0m"))
    }
}
