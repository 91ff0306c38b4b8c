import BillfoldDiagnosis
import Foundation
import Testing

@testable import ApplePayApp

@Suite struct RecoveryTests {
    private let configuration = CheckoutConfiguration { _ in }
    private let attempt = PaymentAttempt(access: Fixture.access, key: IdempotencyKey(rawValue: "key-1"))

    @Test(arguments: [
        ("succeeded", CheckoutOutcome.succeeded(CheckoutPayment(id: "p1", state: "succeeded"))),
        ("failed", .failed(code: "payment-failed", reason: "51")),
        ("unknown", .undecided(CheckoutPayment(id: "p1", state: "unknown", reason: "51"))),
        ("a-state-of-tomorrow", .undecided(CheckoutPayment(id: "p1", state: "a-state-of-tomorrow", reason: "51"))),
    ])
    func killedAppAsksTheServerAndSendsNothing(state: String, expected: CheckoutOutcome) async {
        let memory = VolatileCheckoutMemory()
        await memory.save(attempt)
        let reason: String? = state == "succeeded" ? nil : "51"
        let server = FakeServer(payments: { _ in [CheckoutPayment(id: "p1", state: state, reason: reason)] })
        #expect(await CheckoutSession.recover(memory: memory, server: server, configuration: configuration) == expected)
        #expect(server.submissions.isEmpty)
        let isUndecided = if case .undecided = expected { true } else { false }
        #expect((await memory.load() != nil) == isUndecided)
    }

    @Test func anEarlierPaymentsFailureSaysNothingAboutThisAttempt() async {
        let memory = VolatileCheckoutMemory()
        var attempt = attempt
        attempt.failedBefore = ["p1"]
        await memory.save(attempt)
        let server = FakeServer(payments: { read in
            let first = CheckoutPayment(id: "p1", state: "failed", reason: "51")
            return read < 3 ? [first] : [first, CheckoutPayment(id: "p2", state: "succeeded")]
        })
        let outcome = await CheckoutSession.recover(memory: memory, server: server, configuration: configuration)
        #expect(outcome == .succeeded(CheckoutPayment(id: "p2", state: "succeeded")))
        #expect(server.orderReads == 3)
    }

    @Test func serverThatCannotBeReachedLeavesItUndecided() async {
        let memory = VolatileCheckoutMemory()
        await memory.save(attempt)
        let server = FakeServer(payments: { _ in nil })
        #expect(await CheckoutSession.recover(memory: memory, server: server, configuration: configuration) == .undecided(nil))
        #expect(await memory.load() != nil)
    }

    @Test func attemptThatNeverArrivedIsForgotten() async {
        let memory = VolatileCheckoutMemory()
        await memory.save(attempt)
        #expect(await CheckoutSession.recover(memory: memory, server: FakeServer(), configuration: configuration) == nil)
        #expect(await memory.load() == nil)
    }

    @Test func nothingBegunIsNothingToRecover() async {
        let server = FakeServer()
        #expect(await CheckoutSession.recover(memory: VolatileCheckoutMemory(), server: server, configuration: configuration) == nil)
        #expect(server.orderReads == 0)
    }

    @Test func attemptSurvivesItsProtectedForm() {
        let form = attempt.protectedForm()
        #expect("\(form)\(attempt)".contains("client-secret") == false)
        let back = PaymentAttempt(protectedForm: form)
        #expect(back?.key == attempt.key)
        #expect(back?.failedBefore == [])
        #expect(back?.access.orderID == "0198c0de")
        #expect(back?.access.clientSecret.reveal() == "client-secret")
        #expect(PaymentAttempt(protectedForm: Secret(Data("{}".utf8))) == nil)
    }
}

@Suite struct PaymentVerdictTests {
    @Test(arguments: [
        (["failed", "succeeded"], PaymentVerdict.succeeded), (["failed", "unknown"], .undecided), (["unknown", "failed"], .undecided),
        (["failed"], .failed), (["accepted"], .undecided), (["refunded"], .succeeded), (["reversed"], .failed), (["closed"], .failed),
        (["partlyRefunded"], .succeeded), (["submitted"], .undecided), (["FAILED"], .undecided),
    ])
    func oneSuccessCountsThenAnythingUndecided(states: [String], expected: PaymentVerdict) {
        #expect(PaymentVerdict(of: states.map { CheckoutPayment(id: "p", state: $0) }) == expected)
    }
}
