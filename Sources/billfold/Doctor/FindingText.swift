import ApplePay
import BillfoldDiagnosis

/// A finding as lines for people and as JSON for programs.
enum FindingText {
    static func lines(_ finding: Finding) -> String {
        ([
            "\(finding.severity == .defect ? "✘" : "!") \(finding.subject): \(finding.cause)", "  code: \(finding.code)",
        ] + finding.evidence.map { "  \($0.name): \($0.value)" } + ["  mend: \(finding.mend)"]).joined(separator: "\n")
    }

    static func json(_ finding: Finding) -> JSONValue {
        .object(
            JSONObject([
                .init("code", .string(finding.code)), .init("severity", .string(finding.severity.rawValue)),
                .init("subject", .string(finding.subject)), .init("cause", .string(finding.cause)),
                .init(
                    "evidence",
                    .array(
                        finding.evidence.map { .object(JSONObject([.init("name", .string($0.name)), .init("value", .string($0.value))])) })),
                .init("mend", .string(finding.mend)),
            ]))
    }
}
