import Foundation
import NIOCore

/// A server under measurement in a process of its own: started, told what to do, and stopped.
final class MeasuredProcess {
    struct Failure: Error {
        var reason: String
    }

    private let process = Process()
    private let commands = Pipe()
    private let answers = Pipe()
    private var unread = Data()
    private(set) var port = 0

    /// This program.
    static var thisProgram: String { CommandLine.arguments[0] }

    /// Starts a build of this program with the arguments, on those processors alone, and waits until it says its port.
    init(_ arguments: [String], program: String = thisProgram, processors: [Int]) throws {
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = commands
        process.standardOutput = answers
        // Log lines are made and thrown away.
        process.standardError = ProcessInfo.processInfo.environment["BENCH_LOG"] == nil ? FileHandle.nullDevice : FileHandle.standardError
        // A process has the processors of the thread that starts it, from its first thread on.
        let own = Processor.allowed
        Processor.keep(on: processors)
        defer { Processor.keep(on: own) }
        try process.run()
        guard let port = Int(try line()) else { throw Failure(reason: "the server did not say its port") }
        self.port = port
    }

    /// Runs a job in the process and returns the seconds it took.
    func command(_ name: String, _ count: Int) throws -> Double {
        commands.fileHandleForWriting.write(Data("\(name) \(count)\n".utf8))
        guard let seconds = Double(try line()) else { throw Failure(reason: "\(name) gave no time") }
        return seconds
    }

    /// Asks the route that does nothing, as fast as answers come, by requests and for answers as long as the job's own, in turn.
    func askEmptyRoute(_ count: Int, like samples: [EmptyRoute.Sample], by client: LoadClient) async throws -> Double {
        try await ask(count, samples, samples.map(\.emptied), by: client)
    }

    /// Asks the route that does the operations of the bound and nothing else, in the same way: each sample's step, in turn.
    func askBareRoute(_ count: Int, like samples: [EmptyRoute.Sample], from step: Int = 0, by client: LoadClient) async throws -> Double {
        _ = try command("prepare-bare", count)
        return try await ask(count, samples, samples.enumerated().map { $1.bared(step + $0) }, by: client)
    }

    private func ask(
        _ count: Int, _ samples: [EmptyRoute.Sample], _ requests: [ByteBuffer], by client: LoadClient
    ) async throws -> Double {
        guard !samples.isEmpty else { throw Failure(reason: "the job was not run yet") }
        let (answers, seconds) = try await client.closedLoop((0..<count).map { requests[$0 % requests.count] })
        let isSound = answers.enumerated().allSatisfy {
            $1.status == 200 && $1.body.readableBytes == samples[$0 % samples.count].answerBytes
        }
        guard isSound else { throw Failure(reason: "a route of the bound refused") }
        return seconds
    }

    /// What the process holds in memory now, in KiB (`VmRSS`), or nil where the system does not say.
    var residentKibibytes: Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8) else { return nil }
        return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    func stop() throws {
        try commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(reason: "the server's process ended") }
            unread += more
        }
    }
}

/// The other end: what the measured process hears and says.
enum Commands {
    /// Standard input on a thread of its own: where a process has one processor, the tasks have one thread, which must not wait.
    static func lines() -> AsyncStream<(job: Substring, count: Int)> {
        let (stream, continuation) = AsyncStream.makeStream(of: (job: Substring, count: Int).self)
        Thread.detachNewThread {
            while let line = readLine() {
                let words = line.split(separator: " ")
                if let job = words.first, let count = words.last.flatMap({ Int($0) }) { continuation.yield((job, count)) }
            }
            continuation.finish()
        }
        return stream
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
