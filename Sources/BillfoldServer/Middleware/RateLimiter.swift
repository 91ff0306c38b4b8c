import Synchronization

/// One token bucket per caller, in integers, bounded in memory.
///
/// When as many callers are known as the bound allows, a newcomer takes the place of the one that has been quiet longest, if that one's
/// bucket is full again; otherwise newcomers share one bucket. A flood of addresses cannot grow memory, lift the limit or make a decision
/// slow: each takes the same time, however many callers are known.
package final class RateLimiter: Sendable {
    package enum Decision: Sendable, Hashable {
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

    private struct Caller {
        var name: String
        var bucket: Bucket
    }

    private struct State {
        var places: [String: Int] = [:]
        var callers: [Caller] = []
        var lists = SlotLists()
        /// The one that has been quiet longest first.
        var order = SlotLists.List()
        /// What newcomers share where nobody can be forgotten.
        var shared: Bucket
    }

    private static let unit: Int64 = 1_000_000_000

    private let limit: RateLimit
    private let maximumCallers: Int
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameter uptime: The time since some fixed instant on a clock that never goes back.
    package init(limit: RateLimit, maximumCallers: Int = 50_000, uptime: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.maximumCallers = max(1, maximumCallers)
        self.uptime = uptime
        let capacity = Int64(limit.burst) * Self.unit
        state = Mutex(State(shared: Bucket(level: capacity, filledAt: Self.nanoseconds(uptime()))))
    }

    package func admit(_ caller: String) -> Decision {
        let now = Self.nanoseconds(uptime())
        return state.withLock { state in
            var place = state.places[caller]
            if place == nil { place = makePlace(for: caller, now, in: &state) }
            guard let place else { return take(from: &state.shared, now) }
            state.lists.moveToEnd(place, of: &state.order)
            return take(from: &state.callers[place].bucket, now)
        }
    }

    /// - Returns: `nil` where nobody can be forgotten for the newcomer.
    private func makePlace(for caller: String, _ now: Int64, in state: inout State) -> Int? {
        let newcomer = Caller(name: caller, bucket: Bucket(level: capacity, filledAt: now))
        let place: Int
        if state.callers.count < maximumCallers {
            place = state.callers.count
            state.callers.append(newcomer)
            state.lists.append(place, to: &state.order)
        } else if let quiet = state.order.first, filled(state.callers[quiet].bucket, now).level == capacity {
            place = quiet
            state.places[state.callers[quiet].name] = nil
            state.callers[quiet] = newcomer
        } else {
            return nil
        }
        state.places[caller] = place
        return place
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
