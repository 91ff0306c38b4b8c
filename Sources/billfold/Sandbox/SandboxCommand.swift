import ArgumentParser
import BillfoldServer
import Foundation
import NIOHTTP1

/// `billfold sandbox`: what a developer asks of the sandbox that runs.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "Take part in the running sandbox with a program of your own.",
        subcommands: [SandboxRegister.self, SandboxParties.self, SandboxEnd.self, SandboxClock.self])
}

/// Which installation a command speaks to.
struct SandboxPlace: ParsableArguments {
    @Option(help: "The running servers' data folder.") var data = Self.standard

    /// Where everything is. Refuses with `no-server` where nobody is there: a server that was killed leaves its word behind.
    func running() async throws -> ServedAddresses {
        let addresses = try ServedAddresses(folder: data)
        let console = try addresses.origin(of: .console)
        do {
            _ = try await LocalClient.send(.GET, console + "/healthz")
        } catch let failure as CommandFailure {
            throw CommandFailure(
                .refused, code: "no-server",
                reason: "the server that wrote \(data)/\(ServedAddresses.fileName) does not answer (\(failure.reason)); start it again, "
                    + "or name the folder of one that runs with --data")
        }
        return addresses
    }

    /// How a command that is advised names the place, as it was named to this one.
    var words: String { data == Self.standard ? "" : " --data " + OwnPartyFolder.quoted(data) }

    private static let standard = ".billfold"

    /// What somebody registers with, or calls with: a bearer in the data folder.
    func bearer(_ name: String) throws -> String {
        try CommandFile.key(data + "/" + name)
    }
}
