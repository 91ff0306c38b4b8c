import ApplePay
import BillfoldDiagnosis
import BillfoldJSON

extension Finding {
    /// For programs.
    var json: JSONValue {
        .object(
            JSONObject([
                .init("code", .string(code)), .init("severity", .string(severity.rawValue)), .init("subject", .string(subject)),
                .init("cause", .string(cause)),
                .init(
                    "evidence",
                    .array(evidence.map { .object(JSONObject([.init("name", .string($0.name)), .init("value", .string($0.value))])) })),
                .init("mend", .string(mend)),
            ]))
    }
}
