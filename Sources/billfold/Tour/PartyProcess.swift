import Foundation
import Synchronization

/// One party of the tour in a process of its own: this program again, as `serve --roles …`.
final class PartyProcess: Sendable {
    let name: String
    /// Where its readiness is asked for.
    let address: String
    // A Process is started and ended here only, under the lock.
    private let process: Mutex<Process>
    private let errors: String
    /// The other end is the party's standard input: when this process ends, however it ends, the party reads the end and stops.
    private let life = Pipe()

    /// - Parameters:
    ///   - executable: This program.
    ///   - errors: The file that takes what the process logs.
    init(name: String, executable: String, arguments: [String], address: String, errors: String) throws {
        self.name = name
        self.address = address
        self.errors = errors
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments + ["--until-input-ends"]
        let log = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard log >= 0 else {
            throw CommandFailure(.refused, code: "data-folder-unusable", reason: "\(errors) cannot be written")
        }
        process.standardError = FileHandle(fileDescriptor: log, closeOnDealloc: true)
        process.standardOutput = FileHandle.nullDevice
        // No other party may hold this end open.
        _ = fcntl(life.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = life.fileHandleForReading
        do { try process.run() } catch {
            throw CommandFailure(.ourFault, code: "process-not-started", reason: "\(name) could not be started")
        }
        self.process = Mutex(process)
    }

    var isRunning: Bool { process.withLock { $0.isRunning } }

    /// Asked of the system: Foundation learns of an end on Linux by a socket, which processes that were started later may hold open.
    private var hasEnded: Bool {
        process.withLock { process in
            guard process.isRunning else { return true }
            var end = siginfo_t()
            // Its end is left for Foundation to collect.
            return waitid(P_PID, id_t(process.processIdentifier), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_signo == SIGCHLD
        }
    }

    /// The last line that the process logged, for saying why it ended.
    var lastWords: String {
        let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").last.map(String.init) ?? "it said nothing"
    }

    /// Waits until the party is ready; refuses when it ends instead, or is not ready in time.
    func untilReady(within limit: Duration = .seconds(60)) async throws {
        let end = ContinuousClock.now.advanced(by: limit)
        while ContinuousClock.now < end {
            guard !hasEnded else {
                throw CommandFailure(.refused, code: "party-ended", reason: "\(name) ended: \(lastWords)")
            }
            if let answer = try? await TourClient.get(address + "/readyz"), answer.status == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw CommandFailure(
            .refused, code: "party-not-ready", reason: "\(name) was not ready within \(limit.components.seconds) s: \(lastWords)")
    }

    /// Asks the process to stop, and ends it when it does not within the limit, which is longer than a server's own time for requests
    /// that are under way. Returns whether it stopped by itself.
    @discardableResult
    func stop(within limit: Duration = .seconds(30)) async -> Bool {
        process.withLock { if $0.isRunning { $0.terminate() } }
        let end = ContinuousClock.now.advanced(by: limit)
        while isRunning, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(50)) }
        return process.withLock { process in
            guard process.isRunning else { return process.terminationReason == .exit && process.terminationStatus == 0 }
            kill(process.processIdentifier, SIGKILL)
            return false
        }
    }

    /// Where this program lies.
    static func ownExecutable() -> String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? Bundle.main.executablePath
        return path ?? CommandLine.arguments[0]
    }
}

extension [PartyProcess] {
    /// Stops all, the console last, because the others report to it until they end. Refuses with `party-not-ended` when one had to
    /// be ended, or failed.
    func stop() async throws {
        var failed: [String] = []
        for isConsole in [false, true] {
            await withTaskGroup(of: String?.self) { group in
                for process in self where process.name.contains("console") == isConsole {
                    group.addTask { await process.stop() ? nil : "\(process.name): \(process.lastWords)" }
                }
                for await name in group { if let name { failed.append(name) } }
            }
        }
        guard failed.isEmpty else {
            throw CommandFailure(
                .refused, code: "party-not-ended", reason: "did not stop when asked to: \(failed.joined(separator: "; "))")
        }
    }
}
