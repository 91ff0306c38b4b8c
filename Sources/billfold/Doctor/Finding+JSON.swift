import ApplePay
import BillfoldDiagnosis
import BillfoldJSON

extension Diagnosis.Identification {
    /// For programs; `unjudged` only where there is something that nobody could look at.
    var json: JSONValue {
        var object = JSONObject([
            .init("artifact", .string(artifact)), .init("kind", .string(kind)), .init("summary", .string(summary)),
        ])
        if let unjudged {
            object["unjudged"] = .object(JSONObject([.init("part", .string(unjudged.part)), .init("need", .string(unjudged.need))]))
        }
        return .object(object)
    }
}

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
