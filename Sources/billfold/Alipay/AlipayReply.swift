import Alipay
import BillfoldJSON
import Foundation

/// What an Alipay command answers: lines for people, or one object for programs.
struct AlipayReply: Encodable {
    /// `signed`, `verified`, `parsed`, `computed`, `accepted` or `not-accepted`.
    var outcome: String
    var generation: String?
    var signType: String?
    /// What was signed, as text.
    var signedText: String?
    /// The message to send: an order string or a form body.
    var message: String?
    /// Covered parameters by name.
    var fields: [String: String]?
    /// Parameters that no signature covers.
    var uncovered: [String]?
    /// Rules of the documents that the order breaks.
    var violations: [Violation]?
    var serials: [String]?
    var scheme: String?
    var resultStatus: String?
    /// What a verified message says of the money: a notification's event, a result's `paid` or `unclear`, a query answer's outcome.
    var says: String?
    var memo: String?
    var result: String?
    /// What a notification's receiver answered.
    var status: Int?
    var reply: String?

    struct Violation: Encodable {
        var code: String
        var parameter: String
        var reason: String

        init(_ violation: RuleViolation) {
            code = violation.code
            parameter = violation.parameter
            reason = violation.reason
        }
    }

    init(_ outcome: String) { self.outcome = outcome }

    /// Whether the command ends with 0.
    var isGood: Bool { outcome != "not-accepted" }

    var json: String {
        (try? JSONDocument.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Said on standard error, so that what is on standard output can go straight into a file.
    var remarks: [String] { outcome == "signed" ? (violations ?? []).map(Self.line) : [] }

    private static func line(_ violation: Violation) -> String { "\(violation.code): \(violation.parameter) \(violation.reason)" }

    /// A message that was made stands alone.
    var text: String {
        if outcome == "signed", let message { return message }
        var lines = [outcome + (signType.map { " with \($0)" } ?? "")]
        if let scheme { lines.append("  scheme \(scheme)") }
        if let says { lines.append("  says \(says)") }
        if let resultStatus { lines.append("  resultStatus \(resultStatus)") }
        if let memo, !memo.isEmpty { lines.append("  memo \(memo)") }
        for (name, value) in (fields ?? [:]).sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            lines.append("  \(name) = \(value)")
        }
        for name in uncovered ?? [] { lines.append("no signature covers \(name)") }
        lines += (violations ?? []).map(Self.line)
        lines += serials ?? []
        if let status { lines.append("answered \(status) \(reply ?? "")") }
        if let message { lines.append(message) }
        if let result, !result.isEmpty { lines.append(result) }
        return lines.joined(separator: "\n")
    }
}
