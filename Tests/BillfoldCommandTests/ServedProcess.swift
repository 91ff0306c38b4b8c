import BillfoldTestSupport
import Foundation
import Testing

@testable import billfold

/// This package's program, as a user runs it.
enum Program {
    /// Beside the test bundle, where the build puts it.
    static var path: String {
        get throws {
            var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            for _ in 0..<4 {
                let candidate = folder.appendingPathComponent("billfold").path
                if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
                folder.deleteLastPathComponent()
            }
            let own = PartyProcess.ownExecutable()
            let beside = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("billfold").path
            return try #require(FileManager.default.isExecutableFile(atPath: beside) ? beside : nil, "the program was not built")
        }
    }

    struct Ending: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// How many programs run at once: many start servers of their own, which have to be ready within a minute.
    private static let permits = Permits(6)

    /// Runs the program to its end, in an empty folder: what a run by hand left in the checkout is none of a test's.
    ///
    /// - Parameter input: What it reads from standard input; nothing where there is none.
    static func run(_ arguments: [String], input: [UInt8]? = nil) async throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-run-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appendingPathComponent("out").path
        let errors = folder.appendingPathComponent("err").path
        for path in [output, errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        process.standardInput = FileHandle.nullDevice
        if let input {
            let file = folder.appendingPathComponent("in")
            try Data(input).write(to: file)
            process.standardInput = try FileHandle(forReadingFrom: file)
        }
        try await permits.during {
            try process.run()
            while process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        }
        func text(_ path: String) -> String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }
        return Ending(status: process.terminationStatus, output: text(output), errors: text(errors))
    }
}
