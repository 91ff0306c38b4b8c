import BillfoldMoney
import Foundation
import PassKitSimulator
import Testing

@testable import ApplePayApp

@MainActor @Suite struct CheckoutSessionTests {
    private func settled(_ checkout: Checkout, _ actions: PaymentSheet.Action...) async {
        for action in actions {
            checkout.sheet.perform(action)
            await checkout.sheet.settle()
        }
    }

    @Test func everyCallbackIsAnsweredOnceWithTheServersFigures() async throws {
        let server = FakeServer()
        let checkout = try await Checkout(server)
        await settled(
            checkout, .selectCard("card-cup"), .selectContact("home"), .selectShippingMethod("express"), .enterCouponCode("TEA"))
        #expect(checkout.sheet.state.items.map(\.amount) == ["33", "25", "58"])
        #expect(checkout.sheet.state.merchant == "Tea House")
        // Two at the start, one for each choice.
        #expect(server.quotes.count == 6)
        #expect(server.quotes.last?.shippingMethod == "express")
        #expect(server.quotes.last?.couponCode == "TEA")
        #expect(server.quotes.last?.paymentMethod == .init(network: "ChinaUnionPay", type: "debit"))
        await settled(checkout, .authorize)
        #expect(try await checkout.outcome.value == .succeeded(CheckoutPayment(id: "p1", state: "succeeded")))
        #expect(checkout.session.answerFaults.isEmpty)
        #expect(checkout.device.faults.isEmpty)
    }

    @Test func tokensBytesGoUnchanged() async throws {
        let server = FakeServer()
        let checkout = try await Checkout(server)
        await settled(checkout, .authorize)
        _ = try await checkout.outcome.value
        let submission = try #require(server.submissions.first)
        #expect(Data(base64Encoded: submission.token.paymentData) == FakeWallet.bytes)
        #expect(submission.token.transactionIdentifier == "ABCDEF")
        #expect(submission.shippingMethod == "standard")
        #expect(submission.shippingContact?.addressLines == ["100 Century Avenue"])
        #expect(submission.shippingContact?.familyName == "Wei")
    }

    @Test func quoteSeesOnlyTheRedactedContact() async throws {
        let server = FakeServer()
        _ = try await Checkout(server)
        let contact = try #require(server.quotes.last?.shippingContact)
        #expect(contact.countryCode == "CN" && contact.locality == "Shanghai")
        #expect(contact.givenName == nil && contact.phoneNumber == nil && contact.emailAddress == nil && contact.addressLines == nil)
    }

    @Test func electronicGoodsPayWithoutAnAddress() async throws {
        let server = FakeServer()
        let checkout = try await Checkout(server, order: Fixture.order(goods: "electronic"))
        #expect(checkout.sheet.state.asksAddress == false)
        #expect(checkout.sheet.state.shippingMethods.isEmpty)
        await settled(checkout, .authorize)
        _ = try await checkout.outcome.value
        let submission = try #require(server.submissions.first)
        #expect(submission.shippingContact?.emailAddress == "li.wei@example.com")
        #expect(submission.shippingContact?.countryCode == nil)
        #expect(submission.shippingMethod == nil)
    }

    @Test func successIsShownOnlyAfterTheServersAnswer() async throws {
        let (answered, answer) = AsyncStream.makeStream(of: Void.self)
        let server = FakeServer(pay: { _ in
            for await _ in answered { break }
            return PaymentAnswer(payment: CheckoutPayment(id: "p1", state: "succeeded"), sheet: .success)
        })
        let checkout = try await Checkout(server)
        checkout.sheet.perform(.authorize)
        while server.submissions.isEmpty { await Task.yield() }
        #expect(checkout.sheet.state.phase == .processing)
        answer.yield()
        await checkout.sheet.settle()
        #expect(checkout.sheet.state.phase == .succeeded)
        _ = try await checkout.outcome.value
    }

    @Test func unserviceableAddressIsMarkedAndCanBeChanged() async throws {
        let server = FakeServer(quote: { request throws(ApplePayAppError) in
            guard request.shippingContact?.countryCode == "PT" else { return nil }
            let body =
                #"{"items":[{"label":"Tea","amount":"33.00"}],"total":"33.00","errors":[{"code":"shippingAddressUnserviceable","field":"country","message":"China only"},{"code":"shippingContactInvalid","field":"emailAddress","message":"hidden"}]}"#
            return try CheckoutQuote(json: Data(body.utf8), for: CheckoutOrder(json: Fixture.orderJSON()))
        })
        let checkout = try await Checkout(server)
        await settled(checkout, .selectContact("away"), .authorize)
        #expect(checkout.sheet.state.problems.map(\.message) == ["China only"])
        #expect(checkout.sheet.state.shippingMethods.isEmpty)
        #expect(server.submissions.isEmpty)
        await settled(checkout, .selectContact("home"), .authorize)
        #expect(checkout.sheet.state.phase == .succeeded)
        #expect(checkout.device.faults.isEmpty)
        _ = try await checkout.outcome.value
    }

    @Test(arguments: ["couponCodeInvalid", "couponCodeExpired"])
    func refusedCouponIsNotSentWithThePayment(code: String) async throws {
        let server = FakeServer(quote: { request throws(ApplePayAppError) in
            guard let coupon = request.couponCode, coupon != "TEA" else { return nil }
            let body = #"{"items":[{"label":"Tea","amount":"33.00"}],"total":"33.00","errors":[{"code":"\#(code)","message":"no"}]}"#
            return try CheckoutQuote(json: Data(body.utf8), for: CheckoutOrder(json: Fixture.orderJSON()))
        })
        let checkout = try await Checkout(server)
        await settled(checkout, .enterCouponCode("NOPE"))
        #expect(checkout.sheet.state.problems.map(\.code) == [code + "Error"])
        await settled(checkout, .enterCouponCode(""), .authorize)
        _ = try await checkout.outcome.value
        #expect(server.submissions.map(\.couponCode) == [nil])
    }

    @Test func goodCouponGoesWithThePayment() async throws {
        let server = FakeServer()
        let checkout = try await Checkout(server)
        await settled(checkout, .enterCouponCode("TEA"), .authorize)
        _ = try await checkout.outcome.value
        #expect(server.submissions.map(\.couponCode) == ["TEA"])
    }

    @Test func quoteThatNeverComesEndsTheSheetInTime() async throws {
        let timer = ManualTimer()
        let server = FakeServer(quote: { _ throws(ApplePayAppError) in
            do { try await timer.sleep(.seconds(999)) } catch {}
            return nil
        })
        let device = Fixture.device(timer: timer)
        let session = CheckoutSession(
            order: try Fixture.order(), access: Fixture.access, server: server, memory: VolatileCheckoutMemory(),
            configuration: CheckoutConfiguration { try await timer.sleep($0) }
        ) { IdempotencyKey(rawValue: "k") }
        let outcome = SimulatedDevice.$current.withValue(device) { Task { try await session.start() } }
        await timer.untilSomeoneSleeps(for: .seconds(12))
        timer.advance(by: .seconds(12))
        #expect(try await outcome.value == .cancelled)
        #expect(session.answerFaults == [AnswerFault(callback: "didSelectPaymentMethod", kind: .timedOut)])
        #expect(device.faults.isEmpty)
        timer.advance(by: .seconds(1000))
    }

    @Test func quoteWhoseTotalIsNotItsSumEndsTheSheet() async throws {
        let server = FakeServer(quote: { request throws(ApplePayAppError) in
            guard request.shippingMethod == "express" else { return nil }
            let body = #"{"items":[{"label":"Tea","amount":"33.00"}],"total":"34.00"}"#
            return try CheckoutQuote(json: Data(body.utf8), for: CheckoutOrder(json: Fixture.orderJSON()))
        })
        let checkout = try await Checkout(server)
        await settled(checkout, .selectShippingMethod("express"))
        #expect(checkout.sheet.state.phase == .failed)
        #expect(try await checkout.outcome.value == .cancelled)
    }

    @Test func cancelSendsNothing() async throws {
        let server = FakeServer()
        let checkout = try await Checkout(server)
        await settled(checkout, .cancel)
        #expect(try await checkout.outcome.value == .cancelled)
        #expect(server.submissions.isEmpty)
        #expect(await checkout.memory.load() == nil)
    }

    @Test func refusalOfTheTokenIsAFailure() async throws {
        let server = FakeServer(pay: { _ throws(ApplePayAppError) in
            throw ApplePayAppError(code: .serverRefused, reason: "refused", serverCode: "token-refused")
        })
        let checkout = try await Checkout(server)
        await settled(checkout, .authorize)
        #expect(checkout.sheet.state.phase == .failed)
        #expect(try await checkout.outcome.value == .failed(code: "token-refused", reason: "refused"))
        #expect(server.keys.count == 1)
    }

    @Test func unansweredPaymentIsRepeatedWithTheSameKey() async throws {
        let timer = ManualTimer()
        let server = FakeServer(pay: { attempt throws(ApplePayAppError) in
            guard attempt == 3 else { throw ApplePayAppError(code: .serverUnanswered, reason: "no answer") }
            return PaymentAnswer(payment: CheckoutPayment(id: "p1", state: "succeeded"), sheet: .success)
        })
        let checkout = try await Checkout(server, timer: timer)
        checkout.sheet.perform(.authorize)
        await timer.untilSomeoneSleeps(for: .milliseconds(500))
        timer.advance(by: .milliseconds(500))
        await timer.untilSomeoneSleeps(for: .seconds(1))
        #expect(checkout.sheet.state.phase == .processing)
        timer.advance(by: .seconds(1))
        #expect(try await checkout.outcome.value == .succeeded(CheckoutPayment(id: "p1", state: "succeeded")))
        #expect(server.keys.map(\.rawValue) == ["key-1", "key-1", "key-1"])
        #expect(Set(server.submissions).count == 1)
    }

    @Test(arguments: [
        (CheckoutConfiguration.UndecidedSheet.dismiss, SheetState.Phase.dismissed), (.success, .succeeded), (.failure, .failed),
    ])
    func undecidedSheetClosesAsConfiguredAndTheServerIsAskedAgain(
        choice: CheckoutConfiguration.UndecidedSheet, phase: SheetState.Phase
    ) async throws {
        let timer = ManualTimer()
        let server = FakeServer(
            pay: { _ throws(ApplePayAppError) in
                do { try await timer.sleep(.seconds(999)) } catch {}
                throw ApplePayAppError(code: .serverUnanswered, reason: "no answer")
            },
            payments: { $0 < 2 ? [CheckoutPayment(id: "p1", state: "unknown")] : [CheckoutPayment(id: "p1", state: "succeeded")] })
        let checkout = try await Checkout(server, timer: timer) { $0.undecidedSheet = choice }
        checkout.sheet.perform(.authorize)
        await timer.untilSomeoneSleeps(for: .seconds(25))
        await timer.untilSomeoneSleeps(for: .seconds(999))
        timer.advance(by: .seconds(25))
        await timer.untilSomeoneSleeps(for: .seconds(1))
        #expect(checkout.sheet.state.phase == phase)
        timer.advance(by: .seconds(1))
        await timer.untilSomeoneSleeps(for: .seconds(2))
        timer.advance(by: .seconds(2))
        #expect(try await checkout.outcome.value == .succeeded(CheckoutPayment(id: "p1", state: "succeeded")))
        #expect(server.orderReads == 2)
        #expect(server.keys.count == 1)
        #expect(await checkout.memory.load() == nil)
        timer.advance(by: .seconds(1000))
    }

    @Test func pendingAnswerShowsWhatTheServerSaysAndIsNeverAFailure() async throws {
        let server = FakeServer(
            pay: { _ in PaymentAnswer(payment: CheckoutPayment(id: "p1", state: "unknown"), sheet: .success) },
            payments: { _ in [CheckoutPayment(id: "p1", state: "unknown")] })
        let checkout = try await Checkout(server) { $0.followUpPauses = [] }
        await settled(checkout, .authorize)
        #expect(checkout.sheet.state.phase == .succeeded)
        #expect(try await checkout.outcome.value == .undecided(CheckoutPayment(id: "p1", state: "unknown")))
        // The attempt is kept for the next start of the app.
        #expect(await checkout.memory.load()?.key.rawValue == "key-1")
    }

    /// The server leaves it to the app: the sheet goes as it would at the limit, and the outcome is asked for afterwards.
    @Test(arguments: [
        (CheckoutConfiguration.UndecidedSheet.dismiss, SheetState.Phase.dismissed), (.success, .succeeded), (.failure, .failed),
    ])
    func anAnswerThatIsPendingClosesTheSheetAsConfigured(
        choice: CheckoutConfiguration.UndecidedSheet, phase: SheetState.Phase
    ) async throws {
        let server = FakeServer(
            pay: { _ in PaymentAnswer(payment: CheckoutPayment(id: "p1", state: "unknown"), sheet: .pending) },
            payments: { _ in [CheckoutPayment(id: "p1", state: "unknown")] })
        let checkout = try await Checkout(server) {
            $0.undecidedSheet = choice
            $0.followUpPauses = []
        }
        checkout.sheet.perform(.authorize)
        #expect(try await checkout.outcome.value == .undecided(CheckoutPayment(id: "p1", state: "unknown")))
        #expect(checkout.sheet.state.phase == phase)
        #expect(server.keys.count == 1)
    }

    @Test func declineWithErrorsKeepsTheSheetOpenForAnotherAttempt() async throws {
        let server = FakeServer(pay: { attempt in
            attempt == 1
                ? PaymentAnswer(
                    payment: CheckoutPayment(id: "p1", state: "failed"), sheet: .failure,
                    errors: [FieldError(code: "shippingContactInvalid", field: "emailAddress", message: "no such mailbox")])
                : PaymentAnswer(payment: CheckoutPayment(id: "p2", state: "succeeded"), sheet: .success)
        })
        let checkout = try await Checkout(server)
        await settled(checkout, .authorize)
        #expect(checkout.sheet.state.problems.map(\.message) == ["no such mailbox"])
        await settled(checkout, .selectContact("home"), .authorize)
        #expect(try await checkout.outcome.value == .succeeded(CheckoutPayment(id: "p2", state: "succeeded")))
        #expect(server.keys.map(\.rawValue) == ["key-1", "key-2"])
    }

    @Test func correctionThatIsGivenUpLeavesNothingToRecover() async throws {
        let server = FakeServer(pay: { _ in
            PaymentAnswer(
                payment: CheckoutPayment(id: "p1", state: "failed"), sheet: .failure,
                errors: [FieldError(code: "shippingContactInvalid", field: "emailAddress", message: "no such mailbox")])
        })
        let checkout = try await Checkout(server)
        await settled(checkout, .authorize)
        await settled(checkout, .cancel)
        #expect(try await checkout.outcome.value == .cancelled)
        #expect(await checkout.memory.load() == nil)
    }

    @Test func refusalOfARepetitionIsNoFailure() async throws {
        let timer = ManualTimer()
        let server = FakeServer(
            pay: { attempt throws(ApplePayAppError) in
                throw attempt == 1
                    ? ApplePayAppError(code: .serverUnanswered, reason: "no answer")
                    : ApplePayAppError(code: .serverRefused, reason: "forbidden", serverCode: "proxy")
            },
            payments: { _ in [CheckoutPayment(id: "p1", state: "succeeded")] })
        let checkout = try await Checkout(server, timer: timer) { $0.followUpPauses = [.zero] }
        checkout.sheet.perform(.authorize)
        await timer.untilSomeoneSleeps(for: .milliseconds(500))
        timer.advance(by: .milliseconds(500))
        await timer.untilSomeoneSleeps(for: .zero)
        timer.advance(by: .zero)
        #expect(try await checkout.outcome.value == .succeeded(CheckoutPayment(id: "p1", state: "succeeded")))
    }

    @Test func deviceWithoutAWalletShowsNoSheet() async throws {
        let session = CheckoutSession(
            order: try Fixture.order(), access: Fixture.access, server: FakeServer(), memory: VolatileCheckoutMemory()
        ) { IdempotencyKey(rawValue: "k") }
        let device = SimulatedDevice(.init(hasSecureElement: false))
        let outcome = SimulatedDevice.$current.withValue(device) { Task { try await session.start() } }
        #expect(try await outcome.value == .notPresented)
    }
}
