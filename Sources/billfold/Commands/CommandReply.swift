import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON

/// What a command answers: lines for people, one object for programs, and an exit code.
struct CommandReply {
    /// Printable: what comes from outside has passed ``DiagnosisText/printable(_:)``.
    var text: String
    var object: JSONObject
    /// 0 done or accepted, 1 refused.
    var exitCode: Int32 = 0
}

/// A command that reads files and answers once.
protocol ReplyingCommand: AsyncParsableCommand {
    var json: Bool { get }
    func reply() async throws -> CommandReply
}

extension ReplyingCommand {
    func run() async throws {
        do {
            let reply = try await reply()
            if json {
                print(String(decoding: JSONWriter.write(reply.object), as: UTF8.self))
            } else if !reply.text.isEmpty {
                print(reply.text, terminator: reply.text.hasSuffix("\n") ? "" : "\n")
            }
            guard reply.exitCode == 0 else { throw ExitCode(reply.exitCode) }
        } catch { throw CommandFailure.ended(error, asJSON: json) }
    }
}
