import BillfoldJSON
import Foundation
import UnionPay

/// What a UnionPay command answers: lines for people, or one object for programs.
struct UnionPayReply: Encodable {
    struct Field: Encodable {
        var value: String
        var meaning: String?
    }

    /// `signed`, or `verified`.
    var outcome: String
    var signMethod: String
    /// The signing certificate's serial number, decimal; absent with a shared secret.
    var certId: String?
    var signature: String?
    /// Fields by name; masked unless asked otherwise.
    var fields: [String: Field]
    /// The form body; only with `--reveal`, for it holds card data.
    var body: String?

    var json: String {
        (try? JSONDocument.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    var text: String {
        var lines = ["\(outcome) with signMethod \(signMethod)" + (certId.map { ", certId \($0)" } ?? "")]
        for (name, field) in fields.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            lines.append("  \(name) = \(field.value)" + (field.meaning.map { "   \($0)" } ?? ""))
        }
        if let signature { lines.append("signature \(signature)") }
        if let body { lines.append(body) }
        return lines.joined(separator: "\n")
    }

    static func fields(_ message: UnionPayFields, reveal: Bool) -> [String: Field] {
        Dictionary(
            FieldGuide.decode(message).map { decoded in
                (decoded.name, Field(value: reveal ? message[decoded.name] ?? "" : decoded.value, meaning: decoded.meaning))
            }, uniquingKeysWith: { first, _ in first })
    }
}
