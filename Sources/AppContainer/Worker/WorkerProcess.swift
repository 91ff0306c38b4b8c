#if os(Linux) || os(macOS)
    import BillfoldConcurrency
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    /// A worker as the system knows it.
    ///
    /// It is started and collected here and not by Foundation, which learns of an end by a descriptor that the child keeps: a worker keeps none,
    /// and no other process of the host has to wait for one that closed it.
    final class WorkerProcess: Sendable {
        /// This side's end of the socket; closed when the process is forgotten.
        let descriptor: Int32
        let id: Int32
        /// What the system said of its end, once it was collected.
        private let end = Locked<Int32?>(nil)

        init(_ executable: URL) throws(AppContainerError) {
            func unavailable(_ reason: String) -> AppContainerError { AppContainerError(code: .workerUnavailable, reason: reason) }
            var ends: [Int32] = [-1, -1]
            #if canImport(Glibc)
                // Closed in every other process that is started meanwhile.
                let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            #else
                let kind = SOCK_STREAM
            #endif
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw unavailable("no socket") }
            // A worker that takes nothing for so long is no worker any more.
            var wait = timeval(tv_sec: 2, tv_usec: 0)
            _ = setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
            let started = Self.start(executable.path, input: ends[1])
            close(ends[1])
            guard let started else {
                close(ends[0])
                throw unavailable("\(executable.lastPathComponent) cannot be started")
            }
            descriptor = ends[0]
            id = started
        }

        deinit {
            kill()
            _ = ending
            close(descriptor)
        }

        /// Starts the program with the socket as its standard input and without output; its id, or nil.
        private static func start(_ path: String, input: Int32) -> Int32? {
            #if canImport(Glibc)
                var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
                // What else is open the worker closes itself, before anything else.
                let closing: Int32 = 0
            #else
                var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
                let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
            #endif
            guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
            defer { posix_spawn_file_actions_destroy(&actions) }
            guard posix_spawnattr_init(&attributes) == 0 else { return nil }
            defer { posix_spawnattr_destroy(&attributes) }
            // It hears no signal of the host's terminal, and nothing that the host ignores.
            var (none, all) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            sigfillset(&all)
            for signal in [SIGKILL, SIGSTOP] { sigdelset(&all, signal) }
            let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP | Int32(closing)
            guard posix_spawnattr_setsigmask(&attributes, &none) == 0, posix_spawnattr_setsigdefault(&attributes, &all) == 0,
                posix_spawnattr_setpgroup(&attributes, 0) == 0, posix_spawnattr_setflags(&attributes, Int16(flags)) == 0,
                posix_spawn_file_actions_adddup2(&actions, input, 0) == 0,
                posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0,
                posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0
            else { return nil }
            let arguments = [strdup(path), nil]
            let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in arguments + variables { free(text) } }
            var id: pid_t = 0
            return posix_spawn(&id, path, &actions, &attributes, arguments, variables) == 0 ? id : nil
        }

        /// Nothing of this process's surroundings but where libraries lie and which time it is. The zone is named, because the worker cannot
        /// read the system's file. The engine's caged heap is off: it reserves memory in advance, which a limit could not count.
        private static var environment: [String: String] {
            let names: Set<String> = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TZ", "LANG", "LC_ALL"]
            var kept = ProcessInfo.processInfo.environment.filter { names.contains($0.key) }
            kept["GIGACAGE_ENABLED"] = "0"
            if kept["TZ"].map({ $0.hasPrefix(":") || $0.hasPrefix("/") }) ?? true { kept["TZ"] = TimeZone.current.identifier }
            return kept
        }

        /// Until it is collected, no other process has its id.
        func kill() {
            end.withLock { end in
                if end == nil { _ = Self.send(SIGKILL, to: id) }
            }
        }

        private static func send(_ signal: Int32, to id: Int32) -> Int32 {
            #if canImport(Glibc)
                Glibc.kill(id, signal)
            #else
                Darwin.kill(id, signal)
            #endif
        }

        /// How it ended, in words. Waits for a process that has been killed or is about to end.
        var ending: String {
            let status = end.withLock { end in
                if let end { return end }
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                end = status
                return status
            }
            let signal = status & 0x7f
            return signal == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(signal)"
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
