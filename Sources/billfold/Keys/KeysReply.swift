import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// What a keys command answers: lines for people, one object for programs, warnings for both.
struct KeysReply {
    /// Written to standard output without `--json`.
    var text: String
    /// Written to standard output with `--json`.
    var object: [String: KeysValue]
    /// Written to standard error without `--json`; under `warnings` with it.
    var warnings: [String] = []
    /// 0, or 1 when the answer is a refusal.
    var exitCode: Int32 = 0

    /// The object as one line, its keys in order.
    var json: String {
        var object = object
        if !warnings.isEmpty { object["warnings"] = .list(warnings.map { .text($0) }) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// A value in a reply.
enum KeysValue: Encodable, Equatable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([KeysValue])
    case object([String: KeysValue])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}

/// A refusal or fault of a keys command, with the exit code that the design gives it.
struct KeysFailure: Error, Equatable {
    var code: String
    var reason: String
    /// 1 refused, 64 wrong usage, 70 our fault.
    var exitCode: Int32

    init(code: String, reason: String, exitCode: Int32 = 1) {
        self.code = code
        self.reason = reason
        self.exitCode = exitCode
    }

    /// Maps what the libraries throw; what is not theirs is our fault.
    init(_ error: any Error) {
        switch error {
        case let error as KeysFailure: self = error
        case let error as PaymentCryptoError:
            self.init(
                code: error.code.description, reason: error.reason, exitCode: error.code == .keyStoreUnavailable ? 70 : 1)
        case let error as PaymentCryptoOpenSSLError:
            self.init(
                code: error.code.description, reason: error.reason, exitCode: error.code == .libraryFailure ? 70 : 1)
        default: self.init(code: "internal-error", reason: "\(type(of: error))", exitCode: 70)
        }
    }

    var json: String {
        KeysReply(text: "", object: ["error": .object(["code": .text(code), "reason": .text(reason)])]).json
    }
}
