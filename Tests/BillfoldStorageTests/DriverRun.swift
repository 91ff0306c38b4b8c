import BillfoldTestSupport
import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One run of `billfold-storage-driver`: what it printed, and how it is ended.
final class DriverRun: Sendable {
    struct Outcome {
        /// The last number acknowledged in each lane.
        var acknowledged: [Int64: Int64] = [:]
        var acknowledgements = 0
        /// Codes of the failures, in order.
        var failures: [String] = []
        /// Acknowledgements printed after the first failure.
        var acknowledgedAfterFailure = 0
        var text = ""
    }

    /// Beside the test bundle, where the package manager builds both.
    static let driver: URL = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = folder.appendingPathComponent("billfold-storage-driver")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return root.appendingPathComponent(".build/debug/billfold-storage-driver")
    }()

    private let process: ChildProcess

    /// - Parameter wrapper: A command that runs the driver: `strace …`.
    init(
        _ engine: String, _ place: String, lanes: Int = 8, writes: Int = 1_000_000, environment: [String: String] = [:],
        wrapper: [String] = []
    ) throws {
        let command = wrapper + [Self.driver.path, engine, place, "\(lanes)", "\(writes)"]
        process = try ChildProcess(command, environment: environment, readsOutput: true)
    }

    /// Reads until `acknowledgements` were printed, kills the driver with SIGKILL, and reads what it had still said.
    ///
    /// Runs to the driver's own end when it says less.
    func killed(after acknowledgements: Int = .max) -> Outcome {
        var bytes: [UInt8] = []
        var lines = 0
        var killed = false
        while let chunk = process.read() {
            bytes += chunk
            lines += chunk.count { $0 == UInt8(ascii: "\n") }
            if lines > acknowledgements, !killed {
                process.signal(SIGKILL)
                killed = true
            }
        }
        process.wait()
        return Self.read(String(decoding: bytes, as: UTF8.self))
    }

    static func read(_ text: String) -> Outcome {
        var outcome = Outcome(text: text)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "ack", words.count == 3, let lane = Int64(words[1]), let number = Int64(words[2]) {
                outcome.acknowledged[lane] = number
                outcome.acknowledgements += 1
                if !outcome.failures.isEmpty { outcome.acknowledgedAfterFailure += 1 }
            } else if words.first == "fail", words.count > 1 {
                outcome.failures.append(String(words[1]))
            }
        }
        return outcome
    }
}
