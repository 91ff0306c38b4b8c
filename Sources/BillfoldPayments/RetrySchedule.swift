import BillfoldStorage

/// When an undelivered message is tried again, as data.
public enum RetrySchedule: Sendable, Hashable {
    /// Full jitter: a random wait between nothing and a bound that doubles from `base` up to `cap`, at most `attempts` tries.
    case exponential(base: Duration, cap: Duration, attempts: Int64)
    /// The waits that a protocol prescribes between tries; one more try than there are waits.
    case fixed([Duration])

    /// The wait after a failed attempt, or `nil` when the message is to be parked for an operator.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that failed, counted from 1.
    ///   - random: 64 random bits.
    public func wait(after attempt: Int64, random: UInt64) -> Duration? {
        switch self {
        case .fixed(let waits):
            return attempt >= 1 && attempt <= waits.count ? waits[Int(attempt - 1)] : nil
        case .exponential(let base, let cap, let attempts):
            guard attempt >= 1, attempt < attempts else { return nil }
            var bound = base
            for _ in stride(from: 1, to: attempt, by: 1) where bound < cap { bound = bound * 2 }
            let microseconds = Timestamp(microseconds: 0).advanced(by: min(bound, cap)).microseconds
            return .microseconds(Int64(random % UInt64(microseconds + 1)))
        }
    }
}
