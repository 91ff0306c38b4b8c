import BillfoldDiagnosis
import Testing

struct BillfoldDiagnosisExample {
    @Test func example() {
        // Example
        struct ByteOrderMarks: Diagnostician {
            func examine(_ artifacts: [Artifact]) -> Diagnosis {
                var diagnosis = Diagnosis()
                for artifact in artifacts where artifact.name.hasSuffix(".json") {
                    diagnosis.identified.append(
                        .init(artifact: artifact.name, kind: "json", summary: "JSON, \(artifact.bytes.count) bytes"))
                    guard artifact.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { continue }
                    diagnosis.findings.append(
                        Finding(
                            code: "json.byte-order-mark", subject: artifact.name, cause: "The text begins with a byte order mark.",
                            evidence: [.init("first bytes", "EF BB BF")], mend: "Save it as UTF-8 without a byte order mark."))
                }
                return diagnosis
            }
        }

        let token = Artifact(name: "token.json", bytes: Array("\u{FEFF}{}".utf8))
        let diagnosis = Diagnosis(of: [token], by: [ByteOrderMarks()])
        let report = DiagnosisText(width: 80).render(diagnosis)  // ends with "1 defect"

        let key = Secret("correct horse")
        let shown = "\(key) \(Mask.cardNumber("6225000000001234"))"  // "‹secret› 622500••••••1234"
        // End
        #expect(diagnosis.identified.map(\.summary) == ["JSON, 5 bytes"])
        #expect(diagnosis.findings.map(\.code) == ["json.byte-order-mark"])
        #expect(report.contains("defect json.byte-order-mark in token.json\n"))
        #expect(report.hasSuffix("\n1 defect\n"))
        #expect(shown == "‹secret› 622500••••••1234")
        #expect(key.reveal() == "correct horse")
    }
}
