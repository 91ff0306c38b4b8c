import BillfoldDiagnosis
import MiniProgramsDiagnosis
import Testing

struct MiniProgramsDiagnosisExample {
    @Test func example() {
        // Example
        // What happened in a run, as `billfold mini-program run --json` prints it.
        let run = #"{"entries":[{"kind":"call","name":"tradePay","arguments":{"tradeNo":"2026112200000001"}}]}"#
        let diagnosis = MiniProgramDiagnostician().examine([Artifact(name: "run.json", bytes: Array(run.utf8))])
        // diagnosis.findings: mini-program.trade-pay-case, for the argument is tradeNO

        let report = DiagnosisText(width: 80).render(diagnosis)  // ends with "1 defect"
        // End
        #expect(diagnosis.identified.map(\.kind) == ["mini-program.transcript"])
        #expect(diagnosis.findings.map(\.code) == ["mini-program.trade-pay-case"])
        #expect(report.hasSuffix("1 defect\n"), "\(report)")
    }
}
