import Foundation
import Testing

@testable import PassKitSimulator

/// The sheet as published apps show it: a view controller, its delegate, and every form of its callbacks.
@MainActor @Suite struct ViewControllerTests {
    private let counter = Counter()
    private let screen = UIViewController()

    private func controller(
        _ request: PKPaymentRequest? = nil, on device: SimulatedDevice
    ) throws -> PKPaymentAuthorizationViewController {
        try #require(
            SimulatedDevice.$current.withValue(device) {
                PKPaymentAuthorizationViewController(paymentRequest: request ?? counter.request())
            },
            "no controller: \(device.faults)")
    }

    private func present(
        _ request: PKPaymentRequest? = nil, for delegate: any PKPaymentAuthorizationViewControllerDelegate, on device: SimulatedDevice
    ) throws -> PaymentSheet {
        let controller = try controller(request, on: device)
        controller.delegate = delegate
        SimulatedDevice.$current.withValue(device) { screen.present(controller, animated: true) }
        return try #require(controller.sheet, "no sheet: \(device.faults)")
    }

    private func perform(_ actions: [PaymentSheet.Action], on sheet: PaymentSheet) async {
        for action in actions {
            sheet.perform(action)
            await sheet.settle()
        }
    }

    private func codes(_ device: SimulatedDevice) -> [DeviceFault.Code] { device.faults.map(\.code) }

    // MARK: Every method in every form

    @Test(arguments: DelegateForm.allCases)
    func everyChoiceReachesTheDelegateInItsForm(form: DelegateForm) async throws {
        let device = Fixture.device(cards: [Fixture.visaCard, Fixture.unionPayCard])
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        await sheet.settle()
        #expect(counter.calls == ["didSelectPaymentMethod", "didSelectShippingContact"])
        #expect(sheet.state.shippingMethods.map(\.label) == ["Standard", "Express"])
        let before = try #require(counter.contact)
        #expect(before.name == nil && before.emailAddress == nil && before.postalAddress?.street == "")

        await perform([.selectCard("card-cup"), .selectShippingMethod("express")], on: sheet)
        #expect(sheet.state.total == "58")
        await perform([.enterCouponCode("TEA")], on: sheet)
        #expect(sheet.state.total == (form == .completion ? "58" : "33"))
        await perform([.requestMerchantSession], on: sheet)
        let asksForSessions = form != .completion
        #expect(sheet.state.phase == (asksForSessions ? .ready : .failed))
        guard asksForSessions else { return }

        await perform([.authorize], on: sheet)
        #expect(sheet.state.phase == .succeeded)
        #expect(
            counter.calls.dropFirst(2) == [
                "didSelectPaymentMethod", "didSelectShippingMethod", "didChangeCouponCode", "didRequestMerchantSessionUpdate",
                "willAuthorize", "didAuthorizePayment", "didFinish",
            ])
        #expect(counter.payment?.shippingContact?.name?.familyName == "Wei")
        #expect(counter.payment?.shippingMethod?.identifier == "express")
        #expect(screen.presentedViewController == nil)
        #expect(device.faults.isEmpty)
    }

    @Test(arguments: DelegateForm.allCases)
    func paid(form: DelegateForm) async throws {
        let device = Fixture.device()
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        await perform([.authorize], on: sheet)
        #expect(counter.payment?.token.paymentData == FakeWallet.bytes)
        #expect(counter.sheetAtTheEnd == .succeeded)
        #expect(counter.calls.suffix(3) == ["willAuthorize", "didAuthorizePayment", "didFinish"])
        #expect(device.faults.isEmpty)
        while device.presentedSheet != nil { await Task.yield() }
    }

    @Test(arguments: DelegateForm.allCases)
    func refused(form: DelegateForm) async throws {
        counter.status = .failure
        let device = Fixture.device()
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        await perform([.authorize], on: sheet)
        #expect(counter.sheetAtTheEnd == .failed)
        #expect(screen.presentedViewController == nil)
        #expect(device.faults.isEmpty)
    }

    @Test(arguments: DelegateForm.allCases)
    func cancelledWhileAnAnswerIsAwaited(form: DelegateForm) async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        counter.silent = ["didSelectPaymentMethod"]
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        while counter.held.isEmpty { await Task.yield() }
        sheet.perform(.cancel)
        #expect(counter.calls == ["didSelectPaymentMethod", "didFinish"])
        #expect(counter.sheetAtTheEnd == .cancelled)
        // The late answer of a sheet that is gone is no fault.
        for give in counter.held { give() }
        await sheet.settle()
        #expect(device.faults.isEmpty)
    }

    @Test(arguments: DelegateForm.allCases)
    func unansweredAuthorisationFailsAfterTheLimitAndALateAnswerIsTold(form: DelegateForm) async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        counter.silent = ["didAuthorizePayment"]
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        await sheet.settle()
        sheet.perform(.authorize)
        while counter.held.isEmpty { await Task.yield() }
        await timer.untilSomeoneSleeps(for: PaymentSheet.callbackLimit)
        #expect(sheet.state.phase == .processing)
        timer.advance(by: PaymentSheet.callbackLimit)
        await sheet.settle()
        #expect(counter.sheetAtTheEnd == .failed)
        #expect(codes(device) == [.unanswered])
        for give in counter.held { give() }
        while codes(device).count < 2 { await Task.yield() }
        #expect(codes(device) == [.unanswered, .answeredLate])
        #expect(counter.calls.filter { $0 == "didFinish" }.count == 1)
    }

    @Test(arguments: [DelegateForm.handler, .completion])
    func aSecondAnswerIsTold(form: DelegateForm) async throws {
        let device = Fixture.device()
        counter.silent = ["didAuthorizePayment"]
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        await sheet.settle()
        sheet.perform(.authorize)
        while counter.held.isEmpty { await Task.yield() }
        for give in counter.held + counter.held { give() }
        await sheet.settle()
        #expect(counter.sheetAtTheEnd == .succeeded)
        #expect(codes(device) == [.answeredTwice])
    }

    @Test(arguments: [DelegateForm.handler, .completion])
    func anAnswerMayComeFromAnotherThread(form: DelegateForm) async throws {
        let device = Fixture.device()
        counter.silent = ["didAuthorizePayment"]
        let delegate = counter.delegate(form)
        let sheet = try present(for: delegate, on: device)
        await sheet.settle()
        sheet.perform(.authorize)
        while counter.held.isEmpty { await Task.yield() }
        let give = try #require(counter.held.first)
        await Task.detached { give() }.value
        await sheet.settle()
        #expect(counter.sheetAtTheEnd == .succeeded)
        #expect(device.faults.isEmpty)
    }

    // MARK: Which form is called

    @Test func ofTwoFormsTheNewerIsCalled() async throws {
        let device = Fixture.device()
        let delegate = BothFormsDelegate(counter)
        let sheet = try present(for: delegate, on: device)
        await perform([.authorize], on: sheet)
        #expect(counter.calls == ["didSelectPaymentMethod async", "didAuthorizePayment:handler:", "didFinish"])
        #expect(counter.sheetAtTheEnd == .succeeded)
    }

    @Test func whatIsNotImplementedChangesNothingAndPaysNothing() async throws {
        let device = Fixture.device()
        let delegate = BareDelegate(counter)
        let sheet = try present(for: delegate, on: device)
        await perform([.selectContact("away"), .selectShippingMethod("express"), .enterCouponCode("TEA")], on: sheet)
        #expect(sheet.state.phase == .ready)
        #expect(sheet.state.total == "43")
        await perform([.authorize], on: sheet)
        #expect(counter.sheetAtTheEnd == .failed)
        #expect(device.faults.isEmpty)
    }

    @Test func theControllersOlderFormsAreCalledToo() async throws {
        final class Old: NSObject, PKPaymentAuthorizationControllerDelegate {
            var calls: [String] = []
            func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) { controller.dismiss() }
            func paymentAuthorizationController(
                _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
                completion: @escaping ([PKPaymentSummaryItem]) -> Void
            ) {
                calls.append("method")
                completion([PKPaymentSummaryItem(label: "Tea House", amount: 40)])
            }
            func paymentAuthorizationController(
                _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
                completion: @escaping (PKPaymentAuthorizationStatus) -> Void
            ) {
                calls.append("payment")
                completion(.success)
            }
        }
        let device = Fixture.device()
        let old = Old()
        let controller = SimulatedDevice.$current.withValue(device) { PKPaymentAuthorizationController(paymentRequest: counter.request()) }
        controller.delegate = old
        controller.present { _ in }
        let sheet = try #require(controller.sheet)
        await sheet.settle()
        #expect(sheet.state.total == "40")
        await perform([.authorize], on: sheet)
        #expect(sheet.state.phase == .succeeded)
        #expect(old.calls == ["method", "payment"])
    }

    // MARK: Statuses that blame a contact

    @Test func anOlderStatusMarksTheAddressAndTheCustomerChoosesAnother() async throws {
        let device = Fixture.device()
        let delegate = counter.delegate(.completion)
        let sheet = try present(for: delegate, on: device)
        await perform([.selectContact("away")], on: sheet)
        #expect(sheet.state.problems.map(\.code) == ["shippingContactInvalidError"])
        #expect(sheet.state.problems.map(\.field) == [PKContactField.postalAddress.rawValue])
        await perform([.selectContact("home"), .authorize], on: sheet)
        #expect(counter.sheetAtTheEnd == .succeeded)
        #expect(device.faults.isEmpty)
    }

    @Test(arguments: [
        (PKPaymentAuthorizationStatus.invalidShippingPostalAddress, "shippingContactInvalidError", "post" as String?),
        (.invalidShippingContact, "shippingContactInvalidError", nil), (.invalidBillingPostalAddress, "billingContactInvalidError", "post"),
    ])
    func anOlderStatusAtAuthorisationKeepsTheSheetOpen(
        status: PKPaymentAuthorizationStatus, code: String, field: String?
    ) async throws {
        counter.status = status
        let device = Fixture.device()
        let delegate = counter.delegate(.completion)
        let sheet = try present(for: delegate, on: device)
        await perform([.authorize], on: sheet)
        #expect(sheet.state.phase == .ready)
        #expect(sheet.state.problems.map(\.code) == [code])
        #expect(sheet.state.problems.map(\.field) == [field])
        #expect(!counter.calls.contains("didFinish"))
    }

    // MARK: On the screen and away

    @Test func aRequestThatCannotBeShownGivesNoController() {
        let request = counter.request()
        request.merchantCapabilities = [.capabilityEMV]
        let device = Fixture.device()
        SimulatedDevice.$current.withValue(device) { #expect(PKPaymentAuthorizationViewController(paymentRequest: request) == nil) }
        #expect(device.faults.map(\.reason) == [RequestRule.threeDSecureMissing.rawValue])
        let poor = SimulatedDevice(.init(hasSecureElement: false))
        SimulatedDevice.$current.withValue(poor) {
            #expect(PKPaymentAuthorizationViewController(paymentRequest: counter.request()) == nil)
        }
        #expect(codes(poor) == [.requestRefused])
    }

    @Test func nothingHappensBeforeItIsPresented() throws {
        let device = Fixture.device()
        let controller = try controller(on: device)
        #expect(controller.sheet == nil && device.presentedSheet == nil)
    }

    @Test func anotherSheetInTheWayIsToldAndTheFlowIsOver() async throws {
        let device = Fixture.device()
        let first = SimulatedDevice.$current.withValue(device) { PKPaymentAuthorizationController(paymentRequest: counter.request()) }
        first.present { _ in }
        let delegate = counter.delegate(.handler)
        let second = try controller(on: device)
        second.delegate = delegate
        screen.present(second, animated: true)
        #expect(second.sheet == nil)
        #expect(counter.calls == ["didFinish"])
        #expect(screen.presentedViewController == nil)
        #expect(codes(device) == [.presentedOverAnother])
        first.sheet?.perform(.cancel)
        await first.dismiss()
    }

    @Test func aControllerShowsItsSheetOnce() async throws {
        let device = Fixture.device()
        let delegate = counter.delegate(.handler)
        let controller = try controller(on: device)
        controller.delegate = delegate
        screen.present(controller, animated: true)
        controller.sheet?.perform(.cancel)
        screen.present(controller, animated: true)
        #expect(counter.calls.filter { $0 == "didFinish" }.count == 2)
        #expect(codes(device) == [.presentedOverAnother])
        #expect(screen.presentedViewController == nil)
    }

    @Test func theAppMayTakeTheSheetAway() async throws {
        let device = Fixture.device()
        let delegate = counter.delegate(.handler)
        let sheet = try present(for: delegate, on: device)
        var isGone = false
        screen.dismiss(animated: true) { isGone = true }
        #expect(isGone && sheet.state.phase == .dismissed)
        #expect(!counter.calls.contains("didFinish"))
        while device.presentedSheet != nil { await Task.yield() }
        _ = try present(for: delegate, on: device)
    }

    @Test func aKilledAppTakesItsSheetAlong() async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        counter.silent = ["didSelectPaymentMethod"]
        let delegate = counter.delegate(.handler)
        var sheet: PaymentSheet?
        do {
            let screen = UIViewController()
            let controller = try controller(on: device)
            controller.delegate = delegate
            screen.present(controller, animated: true)
            sheet = controller.sheet
            while counter.held.isEmpty { await Task.yield() }
        }
        while device.presentedSheet != nil { await Task.yield() }
        #expect(sheet?.state.phase == .dismissed)
        #expect(device.faults.isEmpty)
    }

    /// The clock of a callback runs on while the app is in the background: what is suspended answers nothing.
    @Test func theLimitPassesInTheBackground() async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        counter.silent = ["didSelectPaymentMethod"]
        let delegate = counter.delegate(.completion)
        let sheet = try present(for: delegate, on: device)
        while counter.held.isEmpty { await Task.yield() }
        // The customer adds a card in the wallet meanwhile: the sheet was made before and does not show it.
        device.update { $0.cards.append(Fixture.visaCard) }
        await timer.untilSomeoneSleeps(for: PaymentSheet.callbackLimit)
        timer.advance(by: PaymentSheet.callbackLimit)
        await sheet.settle()
        #expect(sheet.state.cards.map(\.id) == ["card-cup"])
        #expect(counter.calls == ["didSelectPaymentMethod", "didFinish"])
        #expect(codes(device) == [.unanswered])
        for give in counter.held { give() }
        #expect(codes(device) == [.unanswered, .answeredLate])
    }

    @Test func noSimulatedDevicePaysOut() {
        SimulatedDevice.$current.withValue(Fixture.device()) {
            #expect(
                PKPaymentAuthorizationViewController.canMakePayments(usingNetworks: [.chinaUnionPay], capabilities: [.emv, .threeDSecure]))
            #expect(!PKPaymentAuthorizationViewController.supportsDisbursements())
            #expect(!PKPaymentAuthorizationViewController.supportsDisbursements(using: [.visa], capabilities: .instantFundsOut))
        }
    }
}
