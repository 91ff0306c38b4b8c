import BillfoldTestSupport
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A driver whose callers ask again, and what it has said so far.
final class PatientDriver: Sendable {
    struct Silence: Error, CustomStringConvertible {
        var description: String
    }

    private let process: ChildProcess
    private let text = Mutex<[String]>([])

    init(_ engine: String, _ place: String, environment: [String: String] = [:]) throws {
        let command = [DriverRun.driver.path, "\(engine)-patient", place, "4", "1000000"]
        let process = try ChildProcess(command, environment: environment, readsOutput: true)
        self.process = process
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            while let chunk = process.read() {
                rest += chunk
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: rest[..<end], as: UTF8.self)
                    text.withLock { $0.append(line) }
                    rest.removeSubrange(...end)
                }
            }
        }
    }

    /// Lines so far.
    var lines: [String] { text.withLock { $0 } }

    /// Waits for the `count`th line from `start` on that begins so, and returns where it stands.
    @discardableResult
    func wait(for prefix: String, count: Int = 1, from start: Int, within limit: Duration) async throws -> Int {
        let end = ContinuousClock.now + limit
        while true {
            let lines = lines
            let found = lines.indices.dropFirst(start).filter { lines[$0].hasPrefix(prefix) }
            if found.count >= count { return found[count - 1] }
            guard ContinuousClock.now < end else {
                throw Silence(description: "no \(count) × “\(prefix)” within \(limit); last: \(lines.suffix(8))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func signal(_ number: CInt) { process.signal(number) }

    /// Kills it, and gives what it acknowledged.
    func kill() async throws -> DriverRun.Outcome {
        process.signal(SIGKILL)
        process.wait()
        // What is in the pipe is read by the thread.
        try await Task.sleep(for: .milliseconds(200))
        return DriverRun.read(lines.joined(separator: "\n"))
    }
}
