#if canImport(CWorkerSandbox)
    import CWorkerSandbox
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The worker's side of its sandbox.
final class WorkerConfinement: @unchecked Sendable {
    // The process's first thread changes it, and lets others read it afterwards.
    #if canImport(CWorkerSandbox)
        private var taken = billfold_sandbox()
    #endif

    /// Takes all but the system calls. The process has one thread yet.
    init() {
        #if canImport(CWorkerSandbox)
            billfold_sandbox_enter(&taken)
        #endif
    }

    /// Takes the system calls from every thread, once the engine has opened what it needs; then says what holds.
    func close() -> WorkerSandbox {
        #if canImport(CWorkerSandbox)
            billfold_sandbox_close(&taken)
            let refusals = withUnsafeBytes(of: taken.refusals) { Array($0.bindMemory(to: Int32.self)) }
            var sandbox = WorkerSandbox()
            for (place, measure) in WorkerSandbox.Measure.allCases.enumerated() where taken.holds >> place & 1 == 0 {
                sandbox.missing[measure] = String(cString: strerror(refusals[place]))
            }
            return sandbox
        #else
            return WorkerSandbox(
                missing: Dictionary(
                    uniqueKeysWithValues: WorkerSandbox.Measure.allCases.map { ($0, "workers have no sandbox on this system") }))
        #endif
    }

    /// Bytes of private writable memory that the process has now; nil where nobody says.
    var privateMemory: Int? {
        #if canImport(CWorkerSandbox)
            var text = [UInt8](repeating: 0, count: 8192)
            let count = pread(taken.status, &text, text.count, 0)
            guard count > 0 else { return nil }
            let lines = String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
            let kibibytes = lines.first { $0.hasPrefix("VmData:") }?.split(whereSeparator: \.isWhitespace).dropFirst().first
            return kibibytes.flatMap { Int($0) }.map { $0 * 1024 }
        #else
            return nil
        #endif
    }
}
