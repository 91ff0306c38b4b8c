#if canImport(Glibc)
    import Glibc
#endif

/// Which processors a thread runs on.
///
/// The server under measurement has one processor to itself and everything else the others, so that its rate is the rate of
/// one processor: the sum of what its parts cost on one, which is what its bound is made of. Linux only; elsewhere the system
/// decides.
enum Processor {
    /// The processors that the calling thread may use.
    static var allowed: [Int] {
        var mask = [UInt8](repeating: 0, count: 128)
        // The system call returns how much of the mask it wrote, the library's function 0.
        guard let get = function("sched_getaffinity"), get(0, mask.count, &mask) >= 0 else { return [] }
        return (0..<mask.count * 8).filter { mask[$0 / 8] >> ($0 % 8) & 1 == 1 }
    }

    /// Keeps the calling thread, and the threads that it will make, on the given processors.
    static func keep(on processors: [Int]) {
        guard !processors.isEmpty, let set = function("sched_setaffinity") else { return }
        var mask = [UInt8](repeating: 0, count: 128)
        for processor in processors { mask[processor / 8] |= 1 << (processor % 8) }
        precondition(set(0, mask.count, &mask) == 0, "the processor could not be chosen")
    }

    private typealias Affinity = @convention(c) (_ thread: Int32, _ count: Int, _ mask: UnsafeMutableRawPointer) -> Int32

    /// The C library declares these two only for programs that ask for its extensions, which its Swift module does not.
    private static func function(_ name: String) -> Affinity? {
        #if canImport(Glibc)
            return dlsym(nil, name).map { unsafeBitCast($0, to: Affinity.self) }
        #else
            return nil
        #endif
    }
}
