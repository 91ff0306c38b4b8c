import BillfoldDiagnosis
import Foundation

/// A step of the sheet that a device's log calls failed, as `Step 'eligibility' failed with error <PKProvisioningError …>`
/// (provisioning.md#device-logs
/// [O]). Such lines come without the broker's address.
struct FailedStep {
    let name: String
    let line: String
    /// The broker's answer, where the lines behind tell it.
    let status: String?

    /// How many letters behind the line may belong to its error.
    private static let reach = 1_200

    /// Each step once.
    static func all(_ text: String) -> [FailedStep] {
        var seen: Set<String> = []
        return text.matches(of: /[Ss]tep ['"‘“]?([A-Za-z]{2,40})['"’”]? failed with error/).compactMap { match in
            let name = String(match.1)
            guard seen.insert(name.lowercased()).inserted else { return nil }
            let begin = text[..<match.range.lowerBound].lastIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.startIndex
            let rest = text[match.range.upperBound...].prefix(reach)
            let status = rest.firstMatch(of: /Received HTTP ([1-5]\d\d)\b|StatusCode\w*\s*=\s*([1-5]\d\d)\b/)
            return FailedStep(
                name: name, line: String(text[begin...].prefix { !$0.isNewline }.prefix(200)),
                status: (status?.1 ?? status?.2).map(String.init))
        }
    }

    func report(in artifact: String, into diagnosis: inout Diagnosis) {
        let (what, mend) = Self.known[name.lowercased()] ?? ("a step of the sheet", Self.other)
        diagnosis.report(
            "step-failed", in: artifact, cause: "The step '\(name)' failed: \(what).",
            evidence: ["step": name, "status": status ?? "not in the log", "line": line], mend: mend)
    }

    private static let other =
        "Look for the broker's answer of that moment, and compare the allow list, the configuration and the payload."

    private static let known: [String: (what: String, mend: String)] = [
        "eligibility": (
            "that is the card's request to the broker, before the terms",
            "Compare what the broker judges by: the app's identifiers and Adam ID with the allow list, the configuration with the card, the "
                + "payload and its envelope with the network's form."
        ),
        "requirements": (
            "that is the question what this card needs, before the app is asked",
            "Compare the app's identifiers with the allow list, and the configuration's network and scheme."
        ),
        "provision": (
            "that is the last request, after the terms", "Look for the decision request of that moment at the issuer's host."
        ),
        "enable": ("that is the last request, after the terms", "Look for the decision request of that moment at the issuer's host."),
    ]
}
