#if os(Linux)
    import AppContainer
    import Foundation
    import Testing

    /// Code that broke out of a worker's engine is played by native code on the program's thread: see Tests/HostileWorker.
    struct WorkerSandboxTests {
        private static let secret = Data("the key of everything".utf8)

        /// A folder as a server's: a secret of mode 0600, and the worker's program.
        private struct Surroundings {
            private let folder: TemporaryFolder
            let worker: URL

            init(_ marker: String? = nil) throws {
                folder = try TemporaryFolder()
                let place = folder.url
                worker = place.appending(path: "worker")
                let program = WorkerTests.executable.deletingLastPathComponent().appending(path: "billfold-hostile-worker")
                try FileManager.default.createSymbolicLink(at: worker, withDestinationURL: program)
                try WorkerSandboxTests.secret.write(to: place.appending(path: "secret"))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.appending(path: "secret").path)
                if let marker { try Data().write(to: place.appending(path: marker)) }
            }

            var names: Set<String> {
                Set((try? FileManager.default.contentsOfDirectory(atPath: worker.deletingLastPathComponent().path)) ?? [])
            }

            var secret: Data? { FileManager.default.contents(atPath: worker.deletingLastPathComponent().appending(path: "secret").path) }
        }

        /// What each attack came to: the system's error number, 0 where it succeeded.
        private func attacks(_ surroundings: Surroundings) async throws -> [String: Int32] {
            let host = Witness()
            let program = try WorkerProgram(setup("Page({ onLoad() { Date.now() } })", host), executable: surroundings.worker)
            program.launch()
            #expect(await host.wait { $0.logs.last == "done" || $0.end != nil })
            #expect(host.end == nil, "\(String(describing: host.end))")
            program.end()
            var found: [String: Int32] = [:]
            for line in host.logs.dropLast() {
                let words = line.split(separator: " ", maxSplits: 1)
                if words.count == 2 { found[String(words[1])] = Int32(words[0]) }
            }
            return found
        }

        @Test func nativeCodeOpensNoSocketNoFileAndNoProcess() async throws {
            let surroundings = try Surroundings()
            defer { withExtendedLifetime(surroundings) {} }
            let found = try await attacks(surroundings)
            #expect(found.count > 50)
            for (attack, error) in found {
                let expected = attack == "fork by clone3" ? ENOSYS : attack == "read an inherited descriptor" ? EBADF : EPERM
                #expect(error == expected, "\(attack): \(String(cString: strerror(error)))")
            }
            #expect(surroundings.names == ["worker", "secret"])
            #expect(surroundings.secret == Self.secret)
        }

        /// The measures behind the filter stand by themselves.
        @Test func withoutTheFilterFilesNetworkAndOtherProcessesStayClosed() async throws {
            let surroundings = try Surroundings("no-filter")
            defer { withExtendedLifetime(surroundings) {} }
            let sandbox = try WorkerSandbox.probe(surroundings.worker)
            #expect(!sandbox.isSufficient)
            #expect(sandbox.missing[.callFilter] != nil)
            guard sandbox.missing.count == 1 else {
                return print("SKIPPED: this system refuses \(sandbox.complaint); a worker without the filter alone is not tested")
            }
            let found = try await attacks(surroundings)
            let closed = [
                "connect to loopback", "open /etc/passwd", "open the secret", "create a file", "make a folder", "make a link", "rename the secret",
                "unlink the secret", "truncate the secret", "read an inherited descriptor", "open the parent's memory",
                "open the parent's environment", "copy the parent's memory", "signal the parent", "signal the parent's thread",
                "trace the parent", "become root", "mount", "execute a program",
            ]
            for attack in closed {
                let error = try #require(found[attack])
                #expect(
                    [EPERM, EACCES, EBADF, ENETUNREACH, EINVAL].contains(error), "\(attack): \(String(cString: strerror(error)))")
            }
            #expect(surroundings.names == ["worker", "secret", "no-filter"])
            #expect(surroundings.secret == Self.secret)
        }

        @Test func systemThatRefusesEverythingIsSaid() async throws {
            let surroundings = try Surroundings("old-kernel")
            defer { withExtendedLifetime(surroundings) {} }
            let sandbox = try WorkerSandbox.probe(surroundings.worker)
            #expect(!sandbox.isSufficient)
            #expect(Set(sandbox.missing.keys) == [.ownUser, .ownNetwork, .fileRules, .callFilter])
            #expect(sandbox.complaint.hasPrefix("own-user: "))
            // Nobody insists: the script runs, and the inherited descriptor is closed all the same.
            #expect(try await attacks(surroundings)["read an inherited descriptor"] == EBADF)
        }

        @Test(arguments: ["no-filter", "old-kernel"])
        func noScriptRunsWhereASandboxIsInsistedOn(marker: String) async throws {
            let surroundings = try Surroundings(marker)
            defer { withExtendedLifetime(surroundings) {} }
            let host = Witness()
            let program = try WorkerProgram(
                setup("console.log('here'); Page({ onLoad() { Date.now() } })", host), executable: surroundings.worker,
                requiresSandbox: true)
            program.launch()
            #expect(await host.wait { $0.end != nil })
            #expect(host.end??.code == .workerUnsandboxed)
            #expect(host.end??.reason.contains("call-filter: ") == true)
            #expect(host.logs.isEmpty)
            program.end()
        }

        @Test func workerOfThisPackageIsSandboxed() async throws {
            let sandbox = try WorkerSandbox.probe(WorkerTests.executable)
            #expect(sandbox.isSufficient, "\(sandbox.complaint)")
            let host = Witness()
            let program = try WorkerProgram(
                setup("Page({ onLoad() { console.log(typeof Date.now(), new Date(0).getTimezoneOffset()) } })", host),
                executable: WorkerTests.executable, requiresSandbox: true)
            program.launch()
            #expect(await host.wait { !$0.logs.isEmpty || $0.end != nil })
            #expect(host.logs == ["number \(-TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: 0)) / 60)"])
            program.end()
        }

        @Test func programThatIsNoWorkerIsNotAsked() {
            #expect(throws: AppContainerError(code: .workerUnavailable, reason: "")) {
                _ = try WorkerSandbox.probe(URL(filePath: "/bin/true"))
            }
        }
    }
#endif
