import BillfoldDiagnosis
import Foundation
import PassKitSimulator
import Testing

@testable import ApplePayApp

/// The library's own checkout, shown by the view controller of an app with UIKit.
@MainActor @Suite struct CheckoutViewControllerTests {
    private let screen = UIViewController()
    private let timer = ManualTimer()
    private let memory = VolatileCheckoutMemory()

    private func session(_ server: FakeServer) throws -> CheckoutSession {
        var configuration = CheckoutConfiguration { [timer] in try await timer.sleep($0) }
        configuration.followUpPauses = [.seconds(2)]
        return CheckoutSession(
            order: try Fixture.order(), access: Fixture.access, server: server, memory: memory, configuration: configuration
        ) { IdempotencyKey(rawValue: "key") }
    }

    private func begin(_ session: CheckoutSession, on device: SimulatedDevice) async throws -> (
        PaymentSheet, Task<CheckoutOutcome, any Error>
    ) {
        let outcome = SimulatedDevice.$current.withValue(device) {
            Task { try await session.start { screen.present($0, animated: true) } }
        }
        while screen.presentedViewController == nil { await Task.yield() }
        let controller = try #require(screen.presentedViewController as? PKPaymentAuthorizationViewController)
        let sheet = try #require(controller.sheet)
        await sheet.settle()
        return (sheet, outcome)
    }

    @Test func paidWithTheServersFigures() async throws {
        let server = FakeServer()
        let session = try session(server)
        let device = Fixture.device()
        let (sheet, outcome) = try await begin(session, on: device)
        for action in [PaymentSheet.Action.selectShippingMethod("express"), .enterCouponCode("TEA"), .authorize] {
            sheet.perform(action)
            await sheet.settle()
        }
        #expect(try await outcome.value == .succeeded(CheckoutPayment(id: "p1", state: "succeeded")))
        #expect(sheet.state.total == "58")
        #expect(server.submissions.map(\.couponCode) == ["TEA"])
        #expect(screen.presentedViewController == nil)
        #expect(session.answerFaults.isEmpty && device.faults.isEmpty)
    }

    @Test func cancelled() async throws {
        let (sheet, outcome) = try await begin(try session(FakeServer()), on: Fixture.device())
        sheet.perform(.cancel)
        #expect(try await outcome.value == .cancelled)
        #expect(screen.presentedViewController == nil)
    }

    @Test func refusedByTheServer() async throws {
        let server = FakeServer(pay: { _ in
            PaymentAnswer(payment: CheckoutPayment(id: "p1", state: "failed", reason: "declined"), sheet: .failure)
        })
        let (sheet, outcome) = try await begin(try session(server), on: Fixture.device())
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(try await outcome.value == .failed(code: "payment-failed", reason: "declined"))
        #expect(sheet.state.phase == .failed)
    }

    @Test func notPresentedOverAnotherScreen() async throws {
        let session = try session(FakeServer())
        SimulatedDevice.$current.withValue(Fixture.device()) { screen.present(UIViewController(), animated: true) }
        try await isNotPresented(session) { screen.present($0, animated: true) }
    }

    /// A block that shows the sheet later, perhaps: the outcome was told, so nothing of that sheet counts.
    @Test func notPresentedWhereTheBlockPresentsLater() async throws {
        let server = FakeServer()
        let session = try session(server)
        let controller = try await isNotPresented(session) { _ in }
        SimulatedDevice.$current.withValue(Fixture.device()) { screen.present(controller, animated: true) }
        controller.sheet?.perform(.authorize)
        await controller.sheet?.settle()
        #expect(server.submissions.isEmpty)
    }

    /// As the other `start`, which hears it from the system.
    @Test func notPresentedWhereAnotherPaymentSheetIsOnTheScreen() async throws {
        let device = Fixture.device()
        let (sheet, outcome) = try await begin(try session(FakeServer()), on: device)
        let other = UIViewController()
        try await isNotPresented(try session(FakeServer()), on: device) { other.present($0, animated: true) }
        #expect(other.presentedViewController == nil && device.faults.count == 1)
        sheet.perform(.cancel)
        #expect(try await outcome.value == .cancelled)
    }

    /// Starts a session whose sheet does not come up, and says which controller it was.
    @discardableResult private func isNotPresented(
        _ session: CheckoutSession, on device: SimulatedDevice = Fixture.device(),
        present: @escaping @MainActor (PKPaymentAuthorizationViewController) -> Void
    ) async throws -> PKPaymentAuthorizationViewController {
        var shown: PKPaymentAuthorizationViewController?
        session.onPresent = { Issue.record("nothing was on the screen") }
        let outcome = SimulatedDevice.$current.withValue(device) {
            Task {
                try await session.start {
                    shown = $0
                    present($0)
                }
            }
        }
        #expect(try await outcome.value == .notPresented)
        let controller = try #require(shown)
        #expect(controller.delegate == nil)
        return controller
    }

    @Test func notPresentedWhereTheDeviceCannotPay() async throws {
        let session = try session(FakeServer())
        let device = SimulatedDevice(.init(hasSecureElement: false))
        let outcome = SimulatedDevice.$current.withValue(device) {
            Task { try await session.start { screen.present($0, animated: true) } }
        }
        #expect(try await outcome.value == .notPresented)
    }

    /// Whoever takes the screen away tells nobody: two looks later the checkout knows.
    @Test func takenAwayBeforeAnythingWasSentIsCancelled() async throws {
        let (sheet, outcome) = try await begin(try session(FakeServer()), on: Fixture.device())
        screen.dismiss(animated: true)
        #expect(sheet.state.phase == .dismissed)
        for _ in 0..<2 {
            await timer.untilSomeoneSleeps(for: .seconds(1))
            timer.advance(by: .seconds(1))
        }
        #expect(try await outcome.value == .cancelled)
    }

    @Test func takenAwayAfterTheTokenWasSentIsAskedFor() async throws {
        let server = FakeServer(
            pay: { _ throws(ApplePayAppError) in throw ApplePayAppError(code: .serverUnanswered, reason: "no answer") },
            payments: { _ in [CheckoutPayment(id: "p1", state: "succeeded")] })
        let (sheet, outcome) = try await begin(try session(server), on: Fixture.device())
        sheet.perform(.authorize)
        while server.submissions.isEmpty { await Task.yield() }
        screen.dismiss(animated: true)
        for _ in 0..<2 {
            await timer.untilSomeoneSleeps(for: .seconds(1))
            timer.advance(by: .seconds(1))
        }
        await timer.untilSomeoneSleeps(for: .seconds(2))
        timer.advance(by: .seconds(2))
        #expect(try await outcome.value == .succeeded(CheckoutPayment(id: "p1", state: "succeeded")))
    }

    @Test func anAttemptOfAKilledAppIsAskedFor() async throws {
        let server = FakeServer(
            pay: { _ throws(ApplePayAppError) in throw ApplePayAppError(code: .serverUnanswered, reason: "no answer") },
            payments: { _ in [CheckoutPayment(id: "p1", state: "submitted")] })
        let (sheet, outcome) = try await begin(try session(server), on: Fixture.device())
        sheet.perform(.authorize)
        while server.submissions.isEmpty { await Task.yield() }
        outcome.cancel()
        let recovered = await CheckoutSession.recover(
            memory: memory, server: server, configuration: CheckoutConfiguration { _ in })
        #expect(recovered == .undecided(CheckoutPayment(id: "p1", state: "submitted")))
    }
}
