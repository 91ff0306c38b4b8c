import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Draws the pauses between attempts: uniformly between zero and a bound that doubles, so that those who collided do not
/// collide again.
final class Jitter: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

    func pause(before run: Int, _ configuration: PostgreSQLConfiguration) -> Duration {
        let bound = min(configuration.firstPause * (1 << min(max(run - 2, 0), 20)), configuration.longestPause)
        let (seconds, attoseconds) = bound.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        return .microseconds(generator.withLock { draw(&$0, through: microseconds) })
    }

    private func draw(_ generator: inout any RandomNumberGenerator & Sendable, through bound: Int64) -> Int64 {
        Int64.random(in: 0...max(bound, 0), using: &generator)
    }
}

/// Blocks the pool's own thread; no task of the concurrency runtime runs there.
func sleep(_ pause: Duration) {
    let (seconds, attoseconds) = pause.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
}
