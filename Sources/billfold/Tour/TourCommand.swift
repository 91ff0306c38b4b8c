import ArgumentParser
import Foundation

/// `billfold tour`: every finished journey with each party in a process of its own, over sockets.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Run every finished journey, party by party, and compare both sides' books.",
        discussion: """
            Exits with 1 when a step fails or the books differ. With --flip, one byte of the named message is changed on its \
            way, and the tour is expected to fail: \(Flip.all.map(\.name).joined(separator: ", ")).
            """)

    @Flag(help: "Print one JSON object instead of a table.") var json = false
    @Option(help: ArgumentHelp("Change one byte of a message on its way.", valueName: "party:message")) var flip: String?
    @Option(help: .hidden) var executable: String?

    func run() async throws {
        let report: TourReport
        do {
            let isQuiet = json || isatty(STDERR_FILENO) == 0
            report = try await Tour(
                flip: flip.map { try Flip($0) }, executable: executable ?? PartyProcess.ownExecutable(),
                progress: { step in
                    guard !isQuiet else { return }
                    FileHandle.standardError.write(Data("\(step.passed ? "✓" : "✗") \(step.name)\n".utf8))
                }
            ).run()
        } catch {
            throw CommandFailure(error).report(asJSON: json)
        }
        print(json ? report.json : report.table)
        guard report.passed else { throw ExitCode(1) }
    }
}
