import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
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

/// A refusal or fault of a UnionPay command, with the exit code that the design gives it.
struct UnionPayFailure: Error, Equatable {
    var code: String
    var reason: String
    /// 1 refused, 64 wrong usage, 70 our fault.
    var exitCode: Int32

    init(code: String, reason: String, exitCode: Int32) {
        self.code = code
        self.reason = reason
        self.exitCode = exitCode
    }

    static func usage(_ reason: String) -> Self { Self(code: "usage", reason: reason, exitCode: 64) }

    static var unknownMethod: Self {
        Self(code: "unsupported", reason: "the message's signMethod is missing or none that is known", exitCode: 1)
    }

    /// Maps what the libraries throw; what is not theirs is our fault.
    init(_ error: any Error) {
        switch error {
        case let error as UnionPayFailure: self = error
        case let error as UnionPayError: self.init(code: error.code.description, reason: error.reason, exitCode: 1)
        case let error as PaymentCryptoError: self.init(code: error.code.description, reason: error.reason, exitCode: 1)
        case let error as PaymentCryptoOpenSSLError:
            self.init(code: error.code.description, reason: error.reason, exitCode: error.code == .libraryFailure ? 70 : 1)
        default: self.init(code: "internal-error", reason: "\(type(of: error))", exitCode: 70)
        }
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(["error": ["code": code, "reason": reason]])).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
