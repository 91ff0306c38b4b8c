#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The machine's time of day. Made in the composition root and passed on; libraries take a ``WallClock``.
public struct SystemClock: WallClock {
    public init() {}

    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
