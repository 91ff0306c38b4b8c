import ArgumentParser
import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import Foundation
import HTTPTypes

/// How a command ends when it does not end well: with a stable code, and in an exit code that scripts can tell apart.
struct CommandFailure: CodedError, Equatable {
    /// Refused: the answer is no, and trying the same again gives the same. Our fault: a defect of this program.
    enum Kind: Int32 {
        case refused = 1
        case usage = 64
        case ourFault = 70
    }

    var kind: Kind
    var code: String
    var reason: String

    init(_ kind: Kind, code: String, reason: String) {
        self.kind = kind
        self.code = code
        self.reason = reason
    }

    /// Wrong usage that the reason alone explains.
    static func usage(_ reason: String) -> Self { Self(.usage, code: "usage", reason: reason) }

    /// What cannot be served as flags or files say.
    static func invalid(_ reason: String) -> Self { Self(.usage, code: configurationInvalid, reason: reason) }

    /// The code by which every server refuses flags and files.
    private static let configurationInvalid = "configuration-invalid"

    /// Names an error in our codes. What is not ours is named by its type only, for its text may hold anything.
    init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as StorageError where error.code == .inUse:
            self.init(
                .refused, code: "database-\(error.code)",
                reason: "\(error.reason): stop the server that uses it, or let the servers use PostgreSQL, beside which commands work")
        case let error as StorageError: self.init(.refused, code: "database-\(error.code)", reason: error.reason)
        case let error as any CodedError:
            let code = error.code.description
            let kind: Kind = error.isDefect ? .ourFault : code == Self.configurationInvalid ? .usage : .refused
            self.init(kind, code: code, reason: error.reason)
        default: self.init(.ourFault, code: "internal", reason: "unexpected \(type(of: error))")
        }
    }

    var exitCode: Int32 { kind.rawValue }

    /// `{"error":{"code","reason"}}`.
    var json: String { String(decoding: Refusal(status: .internalServerError, code: code, reason: reason).body, as: UTF8.self) }

    /// Says the failure and gives the exit code: for people on standard error, for programs as ``json`` where they read the other
    /// answers, which is standard output but for a server.
    func report(asJSON: Bool, to stream: FileHandle = .standardOutput) -> ExitCode {
        // What a stranger wrote may stand in the reason, and drives no terminal.
        let line = asJSON ? json : "refused: \(DiagnosisText.printable(description))"
        (asJSON ? stream : .standardError).write(Data((line + "\n").utf8))
        return ExitCode(exitCode)
    }

    /// What a command throws to end: the exit code of a failure that has been said, or what the parser knows how to say.
    static func ended(_ error: any Error, asJSON: Bool) -> any Error {
        error is ExitCode || error is CleanExit || error is ValidationError ? error : CommandFailure(error).report(asJSON: asJSON)
    }
}
