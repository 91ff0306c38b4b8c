#if canImport(Glibc)
    import Glibc
#endif

/// How the system hands the processor to the process's threads (Linux, sched(7); elsewhere nothing is changed).
///
/// A request passes from thread to thread: the event loop that reads it, the task that serves it, the store's writer. By the system's own
/// rule each of them may interrupt whoever runs when it becomes ready, so that a busy processor changes hands several times for every
/// request and each thread finds little to do.
package enum ThreadScheduling: String, Sendable, Hashable, CaseIterable {
    /// A thread that becomes ready waits for the running one's turn to end (`SCHED_BATCH`): each then finds the work of many requests. On a
    /// processor that is idle it runs at once.
    case throughput
    /// As whoever starts the process has it.
    case system

    /// Applies to the threads that the process has and, since a thread inherits it, to those that these make. Child processes inherit it too.
    ///
    /// No privilege is needed, and repeating it changes nothing. Threads whose rule somebody has chosen, as by chrt(1), keep it.
    ///
    /// - Returns: False where the system refuses, as a container's filter of system calls may: the process runs on by the system's own rule.
    package func apply() -> Bool {
        guard self == .throughput else { return true }
        #if canImport(Glibc)
            // A thread that was not yet changed may have made another meanwhile: look until all are. A system that only says that it
            // changes them is not believed for ever.
            for _ in 0..<16 {
                guard let changed = Self.changeThreads() else { return false }
                if changed == 0 { return true }
            }
            return false
        #else
            return true
        #endif
    }

    #if canImport(Glibc)
        /// The number of threads that were changed; nil where the system refuses.
        private static func changeThreads() -> Int? {
            guard let folder = opendir("/proc/self/task") else { return nil }
            defer { closedir(folder) }
            var changed = 0
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                guard let thread = pid_t(name) else { continue }
                var parameters = sched_param(sched_priority: 0)
                switch sched_getscheduler(thread) {
                case SCHED_OTHER where sched_setscheduler(thread, batch, &parameters) == 0: changed += 1
                // Unless the thread has ended in between, the system refuses.
                case SCHED_OTHER where errno != ESRCH, -1 where errno != ESRCH: return nil
                default: break
                }
            }
            return changed
        }

        /// The kernel's number; the C library names it only for programs that ask for its extensions.
        private static let batch: CInt = 3
    #endif
}
