extension WorkPool {
    /// Diagnoses at the console: seconds of one processor each, at most.
    package static let diagnosis = WorkPool("diagnosis", Limits(threads: 2, queue: 32, threadsPerCaller: 1, placesPerCaller: 8))

    /// Packages of mini programs that authors upload: unpacked, verified, signed and packed.
    package static let packages = WorkPool("packages", Limits(threads: 2, queue: 32, threadsPerCaller: 1, placesPerCaller: 16))

    /// Look-ups of names that counterparties gave. The system's resolver waits half a minute for name servers that are silent, and cannot be
    /// stopped: threads are many, and one site has few of them.
    package static let nameLookUps = WorkPool("name look-ups", Limits(threads: 64, queue: 256, threadsPerCaller: 2, placesPerCaller: 32))
}
