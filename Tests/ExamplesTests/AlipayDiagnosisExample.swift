import AlipayDiagnosis
import BillfoldDiagnosis
import Testing

struct AlipayDiagnosisExample {
    // Example
    /// What is wrong with a merchant's files: order strings, notifications, answers, keys, a log. A key is told by its file's name.
    func findings(in files: [Artifact]) -> [String] {
        AlipayDiagnostician().examine(files).findings.map { "\($0.subject): \($0.cause) \($0.mend)" }
    }
    // End

    @Test func example() {
        let log = #"{"alipayLog": [{"event": "reply", "status": 200, "body": "<p>success</p>"}]}"#
        let found = findings(in: [Artifact(name: "log.json", bytes: Array(log.utf8))])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("log.json: The notification repeats for a day") == true)
    }
}
