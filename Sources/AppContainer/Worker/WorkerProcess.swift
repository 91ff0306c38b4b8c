#if os(Linux) || os(macOS)
    import Foundation
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    /// A worker as the system knows it.
    final class WorkerProcess: Sendable {
        /// This side's end of the socket; closed when the process is forgotten.
        let descriptor: Int32
        let id: Int32
        private let process: Mutex<Process>

        init(_ executable: URL) throws(AppContainerError) {
            func unavailable(_ reason: String) -> AppContainerError { AppContainerError(code: .workerUnavailable, reason: reason) }
            var ends: [Int32] = [-1, -1]
            #if canImport(Glibc)
                // Closed in every other worker that is started meanwhile.
                let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            #else
                let kind = SOCK_STREAM
            #endif
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw unavailable("no socket") }
            // A worker that takes nothing for so long is no worker any more.
            var wait = timeval(tv_sec: 2, tv_usec: 0)
            _ = setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
            let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            let process = Process()
            process.executableURL = executable
            process.standardInput = theirs
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.currentDirectoryURL = URL(filePath: "/")
            process.environment = Self.environment
            do {
                try process.run()
            } catch {
                close(ends[0])
                throw unavailable("\(executable.lastPathComponent) cannot be started")
            }
            try? theirs.close()
            descriptor = ends[0]
            id = process.processIdentifier
            self.process = Mutex(process)
        }

        deinit {
            kill()
            close(descriptor)
        }

        /// Nothing of this process's surroundings but where libraries and time zones lie. The engine's caged heap is off: it reserves
        /// memory in advance, which a limit could not count.
        private static var environment: [String: String] {
            let names: Set<String> = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZ", "LANG", "LC_ALL"]
            return ProcessInfo.processInfo.environment.filter { names.contains($0.key) }.merging(["GIGACAGE_ENABLED": "0"]) { $1 }
        }

        func kill() {
            process.withLock { process in
                if process.isRunning { _ = Self.send(SIGKILL, to: id) }
            }
        }

        private static func send(_ signal: Int32, to id: Int32) -> Int32 {
            #if canImport(Glibc)
                Glibc.kill(id, signal)
            #else
                Darwin.kill(id, signal)
            #endif
        }

        /// How it ended, in words.
        var ending: String {
            process.withLock { process in
                if process.isRunning { process.waitUntilExit() }
                return process.terminationReason == .exit ? "exit code \(process.terminationStatus)" : "signal \(process.terminationStatus)"
            }
        }

        /// What it holds in memory, in bytes; 0 where nobody says.
        var memory: Int {
            #if os(Linux)
                guard let text = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8) else { return 0 }
                return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
            #else
                return 0
            #endif
        }
    }
#endif
