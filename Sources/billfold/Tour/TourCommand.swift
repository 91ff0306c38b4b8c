import ArgumentParser
import Foundation
import UnixSignals

/// `billfold tour`: every finished journey with each party in a process of its own, over sockets.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Run every finished journey, party by party, and compare both sides' books.",
        discussion: """
            Exits with 1 when a step fails or the books differ. With --flip, one byte of the named message is changed on its \
            way, and the tour is expected to fail. --flip all runs the tour once for each message and exits with 0 only if every \
            one of these tours failed. --flip list names the messages.
            """)

    @Flag(help: "Print one JSON object instead of a table.") var json = false
    @Option(help: ArgumentHelp("Change one byte of a message on its way.", valueName: "party:message|list|all")) var flip: String?
    @Option(help: .hidden) var executable: String?

    func run() async throws {
        let isQuiet = json || isatty(STDERR_FILENO) == 0
        let executable = executable ?? PartyProcess.ownExecutable()
        @Sendable func progress(_ line: String) {
            if !isQuiet { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
        }
        if flip == "list" {
            let names = Flip.all.map(\.name)
            print(json ? try DatabaseAnswer.encode(["messages": names]) : names.joined(separator: "\n"))
            return
        }
        do {
            try await Self.untilSignalled {
                if flip == "all" {
                    var report = FlipReport()
                    for flip in Flip.all {
                        let tour = try await Tour(flip: flip, executable: executable, progress: { _ in }).run()
                        // An interrupted tour failed for another reason than its message.
                        try Task.checkCancellation()
                        report.flips.append(FlipReport.Line(flip, tour))
                        progress(report.flips.last?.text ?? "")
                    }
                    print(json ? report.json : report.table)
                    guard report.passed else { throw ExitCode(1) }
                } else {
                    let report = try await Tour(
                        flip: flip.map { try Flip($0) }, executable: executable,
                        progress: { progress("\($0.passed ? "✓" : "✗") \($0.name)") }
                    ).run()
                    print(json ? report.json : report.table)
                    guard report.passed else { throw ExitCode(1) }
                }
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            throw CommandFailure(error).report(asJSON: json)
        }
    }

    /// Runs the work; SIGINT and SIGTERM cancel it, so that it stops what it started and removes its folder, keys and all.
    private static func untilSignalled(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await work()
                return true
            }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { break }
                return false
            }
            let isDone = try await group.next() ?? false
            group.cancelAll()
            guard isDone else {
                while (try? await group.next()) != nil {}
                throw CommandFailure(.refused, code: "interrupted", reason: "the tour was interrupted; every party was stopped")
            }
        }
    }
}
