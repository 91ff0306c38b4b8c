import Synchronization

/// One token bucket per caller, in integers, bounded in memory.
///
/// When more callers are known than the bound allows, those that have been quiet long enough to have a full bucket are
/// forgotten; if that is not enough, newcomers share one bucket: a flood of addresses cannot grow memory or lift the limit.
public final class RateLimiter: Sendable {
    public enum Decision: Sendable, Hashable {
        case admitted
        /// The earliest moment at which the same request may be admitted.
        case refused(retryAfter: Duration)
    }

    private struct Bucket {
        /// Billionths of a request.
        var level: Int64
        /// Nanoseconds on the limiter's clock.
        var filledAt: Int64
    }

    private static let unit: Int64 = 1_000_000_000
    private static let overflowCaller = "\u{0}overflow"

    private let limit: RateLimit
    private let maximumCallers: Int
    private let uptime: @Sendable () -> Duration
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - `uptime`: The time since some fixed instant on a clock that never goes back.
    public init(limit: RateLimit, maximumCallers: Int = 50_000, uptime: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.maximumCallers = max(1, maximumCallers)
        self.uptime = uptime
    }

    public func admit(_ caller: String) -> Decision {
        let now = Self.nanoseconds(uptime())
        return buckets.withLock { buckets in
            // Nearly every caller is known: found once, its bucket is changed where it stands.
            if let place = buckets.index(forKey: caller) { return take(from: &buckets.values[place], now) }
            var key = caller
            if buckets.count >= maximumCallers {
                buckets = buckets.filter { filled($0.value, now).level < capacity }
                if buckets.count >= maximumCallers { key = Self.overflowCaller }
            }
            return take(from: &buckets[key, default: Bucket(level: capacity, filledAt: now)], now)
        }
    }

    private func take(from bucket: inout Bucket, _ now: Int64) -> Decision {
        bucket = filled(bucket, now)
        guard bucket.level >= Self.unit else {
            let missing = Self.unit - bucket.level
            let perSecond = Int64(limit.perSecond)
            return .refused(retryAfter: .nanoseconds((missing + perSecond - 1) / perSecond))
        }
        bucket.level -= Self.unit
        return .admitted
    }

    private var capacity: Int64 { Int64(limit.burst) * Self.unit }

    private func filled(_ bucket: Bucket, _ now: Int64) -> Bucket {
        let elapsed = max(0, now - bucket.filledAt)
        let (gained, overflow) = elapsed.multipliedReportingOverflow(by: Int64(limit.perSecond))
        let (level, full) = bucket.level.addingReportingOverflow(overflow ? capacity : gained)
        return Bucket(level: full ? capacity : min(capacity, level), filledAt: now)
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
