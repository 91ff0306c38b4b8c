import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// What an `apple-pay` command answers: lines for people, one object for programs, and an exit code.
struct ApplePayReply {
    /// Printable: what comes from outside has passed ``DiagnosisText/printable(_:)``.
    var text: String
    var object: JSONObject
    /// 0 done or accepted, 1 refused.
    var exitCode: Int32 = 0
}

/// A command that reads files and answers once. Failures become `{"error":{"code","reason"}}` under `--json`.
protocol ApplePayReplying: AsyncParsableCommand {
    var json: Bool { get }
    func reply() async throws -> ApplePayReply
}

extension ApplePayReplying {
    func run() async throws {
        let reply: ApplePayReply
        do {
            reply = try await self.reply()
        } catch let error as ApplePayFailure {
            reply = Self.refusal(error.code, error.reason, json, error.exitCode)
        } catch let error as ApplePayError {
            reply = Self.refusal(error.code.description, error.reason, json, 1)
        } catch let error as PaymentCryptoError {
            reply = Self.refusal(error.code.description, error.reason, json, 1)
        } catch {
            throw CommandFailure.ended(error, asJSON: json)
        }
        if json {
            print(String(decoding: JSONWriter.write(reply.object), as: UTF8.self))
        } else if !reply.text.isEmpty {
            print(reply.text, terminator: reply.text.hasSuffix("\n") ? "" : "\n")
        }
        guard reply.exitCode == 0 else { throw ExitCode(reply.exitCode) }
    }

    private static func refusal(_ code: String, _ reason: String, _ json: Bool, _ exitCode: Int32) -> ApplePayReply {
        // People read refusals on the error stream; programs find them in the one object.
        if !json { FileHandle.standardError.write(Data("refused: \(code): \(DiagnosisText.printable(reason))\n".utf8)) }
        return ApplePayReply(
            text: "",
            object: JSONObject([.init("error", .object(JSONObject([.init("code", .string(code)), .init("reason", .string(reason))])))]),
            exitCode: exitCode)
    }
}

/// A failure of the command itself.
struct ApplePayFailure: Error {
    var code: String
    var reason: String
    /// 64 wrong usage, 70 our fault, 1 refused.
    var exitCode: Int32 = 64

    /// Reads a file of at most a megabyte; one that cannot be read is wrong usage.
    static func read(_ path: String) throws -> [UInt8] {
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size <= 1_048_576,
            let data = FileManager.default.contents(atPath: path)
        else { throw ApplePayFailure(code: "unreadable-file", reason: "\(path) cannot be read, or has more than 1 MB") }
        return [UInt8](data)
    }

    static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

    /// The certificates of a PEM file to be trusted; a file without one is wrong usage, not an untrusted token.
    static func anchors(_ path: String) throws -> [ParsedCertificate] {
        let anchors = try ParsedCertificate.all(pem: text(path))
        guard !anchors.isEmpty else { throw ApplePayFailure(code: "unreadable-file", reason: "\(path) holds no certificate") }
        return anchors
    }

    /// An ISO 8601 instant in UTC, or now.
    static func instant(_ text: String?) throws -> Date {
        guard let text else { return Date() }
        guard let instant = try? Date(text, strategy: .iso8601) else {
            throw ApplePayFailure(code: "wrong-instant", reason: "\(text) is not an ISO 8601 instant such as 2026-11-20T12:00:00Z")
        }
        return instant
    }
}
