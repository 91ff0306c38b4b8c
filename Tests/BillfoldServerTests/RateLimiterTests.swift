import BillfoldServer
import BillfoldServerTestSupport
import Testing

@Suite struct RateLimiterTests {
    @Test func aBurstThenTheRate() {
        let uptime = StandingUptime()
        let limiter = RateLimiter(limit: RateLimit(perSecond: 4, burst: 2)) { uptime.now }
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") == .refused(retryAfter: .milliseconds(250)))
        uptime.advance(by: .milliseconds(249))
        #expect(limiter.admit("a") == .refused(retryAfter: .milliseconds(1)))
        uptime.advance(by: .milliseconds(1))
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") != .admitted)
    }

    @Test func oneCallerDoesNotSpendAnothersBudget() {
        let limiter = RateLimiter(limit: RateLimit(perSecond: 1, burst: 1)) { .zero }
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") != .admitted)
        #expect(limiter.admit("b") == .admitted)
    }

    @Test func aLongPauseFillsTheBucketAndNoMore() {
        let uptime = StandingUptime()
        let limiter = RateLimiter(limit: RateLimit(perSecond: 1_000_000, burst: 2)) { uptime.now }
        #expect(limiter.admit("a") == .admitted)
        uptime.advance(by: .seconds(10 * 365 * 86_400))
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") != .admitted)
    }

    @Test func aFloodOfCallersSharesOneBucket() {
        let uptime = StandingUptime()
        let limiter = RateLimiter(limit: RateLimit(perSecond: 1, burst: 1), maximumCallers: 3) { uptime.now }
        for caller in ["a", "b", "c"] { #expect(limiter.admit(caller) == .admitted) }
        #expect(limiter.admit("d") == .admitted)
        #expect(limiter.admit("e") == .refused(retryAfter: .seconds(1)))
        // Once the known callers have been quiet, they are forgotten and newcomers get buckets of their own.
        uptime.advance(by: .seconds(5))
        for caller in ["f", "g"] { #expect(limiter.admit(caller) == .admitted) }
    }

    @Test func whoeverIsForgottenHadAFullBucket() {
        let uptime = StandingUptime()
        let limiter = RateLimiter(limit: RateLimit(perSecond: 1, burst: 2), maximumCallers: 2) { uptime.now }
        for caller in ["a", "a", "b"] { #expect(limiter.admit(caller) == .admitted) }
        uptime.advance(by: .seconds(1))
        // "b" has been quiet for less time and "a" is not full yet: neither makes room, and the newcomers share.
        #expect(limiter.admit("c") == .admitted)
        #expect(limiter.admit("a") == .admitted)
        #expect(limiter.admit("a") != .admitted)
        // Now "b" has been quiet longest and is full.
        for caller in ["d", "d"] { #expect(limiter.admit(caller) == .admitted) }
        #expect(limiter.admit("d") != .admitted)
        #expect(limiter.admit("a") != .admitted)
    }

    /// As many callers as are remembered, none of which can be forgotten, and then newcomers: looking at all for each would take minutes.
    @Test func aDecisionTakesNoLongerForManyCallers() {
        let limiter = RateLimiter(limit: RateLimit(perSecond: 1, burst: 1)) { .zero }
        for number in 0..<50_000 { _ = limiter.admit("known \(number)") }
        let start = ContinuousClock.now
        for number in 0..<20_000 { _ = limiter.admit("new \(number)") }
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
