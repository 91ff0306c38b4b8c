#if os(Linux)
    import Foundation
    import Testing

    @testable import billfold

    /// The phones with the super app on a system that gives their workers no sandbox: a worker of the tests plays it (Tests/HostileWorker).
    struct WorkerSandboxCommandTests {
        /// The program and such a worker beside it, in a folder of their own.
        private func withProgram(_ body: (_ program: String, _ folder: String) async throws -> Void) async throws {
            let files = FileManager.default
            let folder = files.temporaryDirectory.appendingPathComponent("billfold-unsandboxed-\(UUID())").path
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? files.removeItem(atPath: folder) }
            let program = try Program.path
            // One file under two names, so that the program finds itself here; a copy where the folder is on another disk.
            if link(program, folder + "/billfold") != 0 { try files.copyItem(atPath: program, toPath: folder + "/billfold") }
            let worker = (program as NSString).deletingLastPathComponent + "/billfold-hostile-worker"
            try files.createSymbolicLink(atPath: folder + "/" + SuperAppParty.workerName, withDestinationPath: worker)
            _ = files.createFile(atPath: folder + "/old-kernel", contents: nil)
            try await body(folder + "/billfold", folder)
        }

        private func start(_ program: String, _ folder: String, _ more: [String] = []) throws -> PartyProcess {
            let port = try #require(try FreePorts.find(1).first)
            return try PartyProcess(
                name: "super-app", executable: program,
                arguments: ["serve", "--roles", "super-app", "--sandbox", "127.0.0.1:\(port)", "--data", folder + "/data", "--log", "json"]
                    + more,
                address: "http://127.0.0.1:\(port)", errors: folder + "/log")
        }

        @Test func programDoesNotStartWhereASandboxIsInsistedOn() async throws {
            try await withProgram { program, folder in
                let process = try start(program, folder, ["--require-worker-sandbox"])
                for _ in 0..<600 where process.isRunning { try await Task.sleep(for: .milliseconds(50)) }
                #expect(!process.isRunning)
                #expect(process.lastWords.contains(#""code":"worker-unsandboxed""#))
                #expect(process.lastWords.contains("call-filter: "))
                await process.stop()
            }
        }

        @Test func whatIsMissingIsSaidOnce() async throws {
            try await withProgram { program, folder in
                let process = try start(program, folder)
                var isUp = false
                for _ in 0..<600 where !isUp && process.isRunning {
                    isUp = (try? await TourClient.get(process.address + "/healthz"))?.status == 200
                    if !isUp { try await Task.sleep(for: .milliseconds(50)) }
                }
                #expect(isUp, "\(process.lastWords)")
                await process.stop()
                let log = String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self)
                let lines = log.split(separator: "\n").filter { $0.contains("less of a sandbox") }
                #expect(lines.count == 1)
                #expect(lines.first?.contains("call-filter: ") == true && lines.first?.contains("file-rules: ") == true)
            }
        }
    }
#endif
