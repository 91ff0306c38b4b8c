import Testing

@testable import ApplePayApp

@MainActor @Suite struct OneShotAnswerTests {
    @Test func secondAnswerIsHeldBackAndReported() {
        let log = AnswerLog()
        var given: [Int] = []
        let answer = OneShotAnswer<Int>(callback: "didSelectShippingMethod", log: log) { given.append($0) }
        #expect(answer.fulfil(1))
        #expect(!answer.fulfil(2))
        #expect(given == [1])
        #expect(log.faults == [AnswerFault(callback: "didSelectShippingMethod", kind: .fulfilledTwice)])
    }

    @Test func droppedAnswerIsReported() {
        let log = AnswerLog()
        do { _ = OneShotAnswer<Int>(callback: "didAuthorizePayment", log: log) { _ in } }
        #expect(log.faults == [AnswerFault(callback: "didAuthorizePayment", kind: .unfulfilled)])
    }

    @Test func limitAnswersInItsPlaceOnce() async {
        let log = AnswerLog()
        let timer = ManualTimer()
        var given: [Int] = []
        let answer = OneShotAnswer<Int>(callback: "c", log: log) { given.append($0) }
        answer.limit(to: .seconds(5), wait: { try await timer.sleep($0) }) { 7 }
        await timer.untilSomeoneSleeps(for: .seconds(5))
        timer.advance(by: .seconds(5))
        while given.isEmpty { await Task.yield() }
        answer.fulfilUnlessExpired(8)
        #expect(given == [7])
        #expect(log.faults == [.timedOut, .fulfilledLate].map { AnswerFault(callback: "c", kind: $0) })
    }
}
