import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// `apple-pay lint-request`: judges a payment request, or a recorded sheet, before a phone has to.
struct LintRequest: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint-request", abstract: "Check a payment request or a recorded sheet session.",
        discussion: "Exits with 1 when there is a defect; warnings alone exit with 0.")

    @Argument(help: "The request (native or web names) or the recorded session, as JSON.") var file: String
    @Flag(help: "Write one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        let object = try JSONReader.readObject(CommandFile.read(file), maximumBytes: SheetSession.byteLimit)
        let findings: [Finding]
        if object["kind"]?.string == SheetSession.kind {
            findings = SheetSessionLinter().findings(in: try SheetSession(object), subject: file)
        } else {
            findings = PaymentRequestLinter().findings(in: try PaymentRequest(object), subject: file)
        }
        let defects = findings.contains { $0.severity == .defect }
        var answer = JSONObject([.init("findings", .array(findings.map(\.json)))])
        if defects, let first = findings.first(where: { $0.severity == .defect }) {
            answer["error"] = .object(JSONObject([.init("code", .string(first.code)), .init("reason", .string(first.cause))]))
        }
        return CommandReply(
            text: DiagnosisText(usesColour: isatty(STDOUT_FILENO) == 1).render(Diagnosis(findings: findings)), object: answer,
            exitCode: defects ? 1 : 0)
    }
}
