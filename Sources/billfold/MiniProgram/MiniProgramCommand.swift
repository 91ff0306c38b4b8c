import AppContainer
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import MiniPrograms

/// `billfold mini-program`: mini programs from a shell.
struct MiniProgramCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mini-program",
        abstract: "Pack, sign, verify and lint mini programs, run them without a screen, record runs, and repeat them.",
        subcommands: [
            MiniProgramPackCommand.self, MiniProgramSignCommand.self, MiniProgramVerifyCommand.self, MiniProgramLintCommand.self,
            MiniProgramRunCommand.self, MiniProgramRecordCommand.self, MiniProgramReplayCommand.self,
        ])
}

/// What a run is given.
struct MiniProgramRunOptions: ParsableArguments {
    @OptionGroup var source: MiniProgramSource
    @Option(help: "The page to open, with or without a query; default: the home page.") var page: String?
    @Option(help: "A file that says how host calls are answered and what happens on the page.") var script: String?
    @Option(help: "A whole number from 0 on, for Math.random.") var seed: UInt64 = 1
    @Flag(help: "Print one JSON object.") var json = false

    /// - Parameter printsEntries: Whether each entry is told as it happens.
    func run(printsEntries: Bool) throws -> MiniProgramRun {
        let (code, manifest) = try source.code()
        var run = MiniProgramRun(code: code, seed: seed)
        if let script { run.script = try HostScript(try CommandFile.read(script)) }
        // A package says itself which mini program it is, whatever the script says.
        if let manifest { (run.script.identity.appID, run.script.identity.version) = (manifest.appID, manifest.version.description) }
        if !json, isatty(STDIN_FILENO) == 1 { run.ask = { Self.ask($0) } }
        if printsEntries { run.onEntry = { entry in for line in entry.lines { print(DiagnosisText.printable(line)) } } }
        if let page { run.script.launch.page = page }
        return run
    }

    /// Asks whoever sits at the terminal: one JSON object is a success, nothing lets the call fail.
    private static func ask(_ call: JSAPICall) -> JSAPIAnswer? {
        print("my.\(call.name) \(DiagnosisText.printable(JSONValue.object(call.arguments).text))")
        print("  answer (JSON object, or nothing to fail): ", terminator: "")
        guard let line = readLine(), !line.isEmpty, let answer = try? JSONReader.readObject([UInt8](line.utf8)) else { return nil }
        return .success(answer)
    }
}

/// `mini-program run`: prints every JSAPI call, its answer, each setData and each error with its file and line.
struct MiniProgramRunCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a mini program's logic without a screen.",
        discussion: """
            Host calls are answered from the script, else by asking at a terminal, else they fail. Timers run by a clock of the run's own, \
            which jumps: nothing is waited for. Errors of the mini program, and steps that name no method of its page, exit with 1.
            """)

    @OptionGroup var options: MiniProgramRunOptions
    var json: Bool { options.json }

    func reply() async throws -> CommandReply {
        let transcript = try options.run(printsEntries: !json).run()
        return CommandReply(text: "", object: transcript.json, exitCode: transcript.errors.isEmpty ? 0 : 1)
    }
}

/// `mini-program record`: runs as `run` does, and writes a trace.
struct MiniProgramRecordCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Run a mini program as run does, and write a trace that replay repeats.",
        discussion: "The trace holds what program and host said to each other, secrets included. An existing file is not overwritten.")

    @OptionGroup var options: MiniProgramRunOptions
    @Option(help: "The file to write.") var to: String
    var json: Bool { options.json }

    func reply() async throws -> CommandReply {
        let (transcript, trace) = try options.run(printsEntries: !json).record()
        try CommandFile.writePrivate(to, trace.text)
        var object = transcript.json
        object["turns"] = .number(String(trace.turns))
        return CommandReply(
            text: "\(trace.turns) turns recorded in \(DiagnosisText.printable(to))", object: object,
            exitCode: transcript.errors.isEmpty ? 0 : 1)
    }
}

/// `mini-program replay`: repeats a trace and names the first difference.
struct MiniProgramReplayCommand: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Repeat a recorded run, and find where it goes another way.",
        discussion: "A difference exits with 1. A mini program that was changed since can be replayed too: the difference shows the change."
    )

    @OptionGroup var source: MiniProgramSource
    @Option(help: "The trace that record wrote.") var trace: String
    @Flag(help: "Print one JSON object.") var json = false

    func reply() async throws -> CommandReply {
        // A long run's trace is larger than other files that commands read.
        let trace = try RunTrace(CommandFile.read(trace, megabytes: 256))
        let replay = TraceReplay(trace: trace, code: try source.code().code)
        let difference = try replay.run()
        var object = JSONObject([
            .init("outcome", difference == nil ? "same" : "different"), .init("turns", .number(String(replay.trace.turns))),
            .init("sameCode", .bool(replay.isOfThisCode)),
        ])
        if let difference {
            object["turn"] = .number(String(difference.turn))
            object["recorded"] = difference.recorded.map(JSONValue.string) ?? .null
            object["repeated"] = difference.repeated.map(JSONValue.string) ?? .null
        }
        let text = difference.map { "different: \(DiagnosisText.printable($0.description))" } ?? "same: \(replay.trace.turns) turns"
        return CommandReply(
            text: text + (replay.isOfThisCode ? "" : "\nthe mini program is not the recorded one"), object: object,
            exitCode: difference == nil ? 0 : 1)
    }
}
