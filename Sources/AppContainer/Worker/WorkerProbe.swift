#if os(Linux) || os(macOS)
    public import Foundation

    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    extension WorkerSandbox {
        /// Starts a worker without a program, and returns what it says of its sandbox. Takes as long as the start of a worker, ten seconds
        /// at most, and holds up its thread.
        ///
        /// - Parameter executable: As in ``WorkerProgram/init(_:executable:requiresSandbox:)``.
        /// - Throws: `worker-unavailable`.
        public static func probe(_ executable: URL) throws(AppContainerError) -> WorkerSandbox {
            let process = try WorkerProcess(executable)
            var wait = timeval(tv_sec: 10, tv_usec: 0)
            _ = setsockopt(process.descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
            // The process ends when it is let go of.
            let frame = withExtendedLifetime(process) { try? FrameSocket(descriptor: process.descriptor).read() }
            guard let frame, frame.kind == "sandbox", let sandbox = WorkerSandbox(frame.body) else {
                throw AppContainerError(
                    code: .workerUnavailable, reason: "\(executable.lastPathComponent) says nothing of its sandbox")
            }
            return sandbox
        }
    }
#endif
