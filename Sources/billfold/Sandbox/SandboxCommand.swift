import ArgumentParser
import Foundation

/// `billfold sandbox`: what a developer asks of the sandbox that runs.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "Take part in the running sandbox with a program of your own.",
        subcommands: [SandboxRegister.self, SandboxClock.self])
}

/// Which installation a command speaks to.
struct SandboxPlace: ParsableArguments {
    @Option(help: "The running servers' data folder.") var data = ".billfold"

    var addresses: ServedAddresses { get throws { try ServedAddresses(folder: data) } }

    /// What somebody registers with, or calls with: a bearer in the data folder.
    func bearer(_ name: String) throws -> String {
        try CommandFile.secret(data + "/" + name) {
            CommandFailure(.refused, code: "key-unusable", reason: "\(name) of \(data): \($0)")
        }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
