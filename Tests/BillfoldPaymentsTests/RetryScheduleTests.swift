import BillfoldPayments
import BillfoldStorage
import Testing

@Suite struct RetryScheduleTests {
    @Test func fixedScheduleGivesItsWaitsThenParks() {
        let schedule = RetrySchedule.fixed([.seconds(1), .seconds(2)])
        #expect(schedule.wait(after: 1, random: 9) == .seconds(1))
        #expect(schedule.wait(after: 2, random: 9) == .seconds(2))
        #expect(schedule.wait(after: 3, random: 9) == nil)
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 5), (60, 5)] as [(Int64, Int64)])
    func jitterStaysBetweenNothingAndTheBound(_ attempt: Int64, _ bound: Int64) throws {
        let schedule = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(5), attempts: 100)
        #expect(schedule.wait(after: attempt, random: 0) == .zero)
        #expect(schedule.wait(after: attempt, random: UInt64(bound) * 1_000_000) == .seconds(bound))
        for random in [UInt64.max, 12_345_678_901] {
            #expect(try #require(schedule.wait(after: attempt, random: random)) <= .seconds(bound))
        }
    }

    @Test func exponentialScheduleParksAfterItsAttempts() {
        let schedule = RetrySchedule.exponential(base: .seconds(1), cap: .seconds(5), attempts: 3)
        #expect(schedule.wait(after: 2, random: 0) != nil)
        #expect(schedule.wait(after: 3, random: 0) == nil)
    }

    @Test func breakerOpensAfterFailuresInARowAndTriesOne() {
        var breaker = CircuitBreaker(threshold: 2, pause: .seconds(10))
        let now = Timestamp(secondsSince1970: 100)
        breaker.record(success: false, at: now)
        #expect(breaker.allowance(of: 8, at: now) == 8)
        breaker.record(success: false, at: now)
        #expect(breaker.allowance(of: 8, at: now) == 0)
        let later = now.advanced(by: .seconds(10))
        #expect(breaker.allowance(of: 8, at: later) == 1)
        breaker.record(success: true, at: later)
        #expect(breaker.allowance(of: 8, at: later) == 8)
    }
}
