import ArgumentParser
import BillfoldJSON
import Foundation

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

    /// Prints it, and ends with its exit code where that is none of success.
    func tell(asJSON: Bool) throws {
        if asJSON {
            print(json)
        } else {
            for warning in warnings { FileHandle.standardError.write(Data("warning: \(warning)\n".utf8)) }
            print(text)
        }
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    /// The object as one line, its keys in order.
    var json: String {
        var object = object
        if !warnings.isEmpty { object["warnings"] = .list(warnings.map { .text($0) }) }
        return (try? JSONDocument.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
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
