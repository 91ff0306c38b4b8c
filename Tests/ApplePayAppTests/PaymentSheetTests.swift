import Foundation
import Testing

@testable import PassKitSimulator

/// A delegate whose answers a test writes; what is not written is left unanswered.
@MainActor
private final class Delegate: PKPaymentAuthorizationControllerDelegate {
    var contacts: [PKContact] = []
    var methods: [PKPaymentMethod] = []
    var payments: [PKPayment] = []
    var finishes = 0
    var onMethod: ((@escaping (PKPaymentRequestPaymentMethodUpdate) -> Void) -> Void)?
    var onContact: ((@escaping (PKPaymentRequestShippingContactUpdate) -> Void) -> Void)?
    var onAuthorize: ((@escaping (PKPaymentAuthorizationResult) -> Void) -> Void)?
    var onSession: ((@escaping (PKPaymentRequestMerchantSessionUpdate) -> Void) -> Void)?
    let items: [PKPaymentSummaryItem]

    init(items: [PKPaymentSummaryItem]) { self.items = items }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        methods.append(paymentMethod)
        if let onMethod { onMethod(completion) } else { completion(.init(paymentSummaryItems: items)) }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        contacts.append(contact)
        if let onContact {
            onContact(completion)
        } else {
            completion(.init(errors: nil, paymentSummaryItems: items, shippingMethods: []))
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        payments.append(payment)
        onAuthorize?(completion)
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController,
        didRequestMerchantSessionUpdate handler: @escaping (PKPaymentRequestMerchantSessionUpdate) -> Void
    ) {
        onSession?(handler)
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        finishes += 1
        controller.dismiss()
    }
}

@MainActor @Suite struct PaymentSheetTests {
    private let items = [PKPaymentSummaryItem(label: "Tea", amount: 33), PKPaymentSummaryItem(label: "Tea House", amount: 33)]

    private func request() -> PKPaymentRequest {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.tea"
        request.countryCode = "CN"
        request.currencyCode = "CNY"
        request.supportedNetworks = [.chinaUnionPay, .visa]
        request.merchantCapabilities = [.threeDSecure, .emv]
        request.paymentSummaryItems = items
        request.requiredShippingContactFields = [.postalAddress, .name]
        return request
    }

    private func present(
        _ request: PKPaymentRequest, _ delegate: Delegate, on device: SimulatedDevice
    ) throws -> (PKPaymentAuthorizationController, PaymentSheet) {
        let controller = SimulatedDevice.$current.withValue(device) { PKPaymentAuthorizationController(paymentRequest: request) }
        controller.delegate = delegate
        controller.present()
        return (controller, try #require(controller.sheet, "not presented: \(device.faults)"))
    }

    @Test func contactIsRedactedUntilAuthorised() async throws {
        let delegate = Delegate(items: items)
        delegate.onAuthorize = { $0(.init(status: .success, errors: nil)) }
        let (_, sheet) = try present(request(), delegate, on: Fixture.device())
        await sheet.settle()
        let before = try #require(delegate.contacts.first)
        #expect(before.name == nil && before.phoneNumber == nil && before.emailAddress == nil)
        #expect(before.postalAddress?.street == "")
        #expect(before.postalAddress?.city == "Shanghai")
        #expect(before.postalAddress?.postalCode == "200120")
        #expect(delegate.methods.first?.displayName == nil)
        sheet.perform(.authorize)
        await sheet.settle()
        let after = try #require(delegate.payments.first?.shippingContact)
        #expect(after.name?.familyName == "Wei")
        #expect(after.postalAddress?.street == "100 Century Avenue")
        // Not asked for, not disclosed.
        #expect(after.emailAddress == nil && after.phoneNumber == nil)
        #expect(delegate.payments.first?.token.paymentMethod.displayName == "ChinaUnionPay 1234")
    }

    @Test func unansweredCallbackFreezesTheSheetAndThenFailsIt() async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        let delegate = Delegate(items: items)
        var late: ((PKPaymentRequestPaymentMethodUpdate) -> Void)?
        delegate.onMethod = { late = $0 }
        let (_, sheet) = try present(request(), delegate, on: device)
        await timer.untilSomeoneSleeps(for: PaymentSheet.callbackLimit)
        #expect(sheet.state.phase == .updating)
        timer.advance(by: .seconds(29))
        await Task.yield()
        #expect(sheet.state.phase == .updating)
        timer.advance(by: .seconds(1))
        await sheet.settle()
        #expect(sheet.state.phase == .failed)
        #expect(device.faults.map(\.code) == [.unanswered])
        #expect(delegate.finishes == 1)
        late?(.init(paymentSummaryItems: items))
        #expect(device.faults.map(\.code) == [.unanswered, .answeredLate])
    }

    @Test func successGivenTwiceIsCaught() async throws {
        let device = Fixture.device()
        let delegate = Delegate(items: items)
        delegate.onAuthorize = { answer in
            answer(.init(status: .success, errors: nil))
            answer(.init(status: .success, errors: nil))
        }
        let (_, sheet) = try present(request(), delegate, on: device)
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(sheet.state.phase == .succeeded)
        #expect(device.faults.map(\.code) == [.answeredTwice])
        #expect(delegate.finishes == 1)
    }

    @Test func emptyItemsShowAZeroTotal() async throws {
        let device = Fixture.device()
        let delegate = Delegate(items: items)
        delegate.onMethod = { $0(.init(paymentSummaryItems: [])) }
        let asked = request()
        asked.requiredShippingContactFields = []
        let (_, sheet) = try present(asked, delegate, on: device)
        #expect(sheet.state.total == "33")
        await sheet.settle()
        #expect(sheet.state.total == "0")
        #expect(device.faults.map(\.code) == [.emptyItems])
    }

    @Test func totalThatIsNotTheSumIsRecorded() async throws {
        let device = Fixture.device()
        let asked = request()
        asked.paymentSummaryItems = [.init(label: "Tea", amount: 33), .init(label: "Tea House", amount: 34)]
        let (_, sheet) = try present(asked, Delegate(items: items), on: device)
        await sheet.settle()
        #expect(device.faults.map(\.code) == [.totalDiffers])
    }

    @Test func errorOutsideTheDomainCrashesTheApp() async throws {
        let device = Fixture.device()
        let delegate = Delegate(items: items)
        delegate.onContact = { $0(.init(errors: [NSError(domain: "shop", code: 7)], paymentSummaryItems: self.items, shippingMethods: [])) }
        let (_, sheet) = try present(request(), delegate, on: device)
        await sheet.settle()
        #expect(device.faults.map(\.code) == [.foreignError])
        #expect(sheet.state.phase == .failed)
    }

    @Test(arguments: [PKContactField.name, .phoneNumber, .emailAddress])
    func hiddenFieldCannotBeBlamedBeforeAuthorisation(field: PKContactField) async throws {
        let device = Fixture.device()
        let delegate = Delegate(items: items)
        let error = PKPaymentRequest.paymentContactInvalidError(withContactField: field, localizedDescription: "no")
        delegate.onContact = { $0(.init(errors: [error], paymentSummaryItems: self.items, shippingMethods: [])) }
        delegate.onAuthorize = { $0(.init(status: .failure, errors: [error])) }
        let (_, sheet) = try present(request(), delegate, on: device)
        await sheet.settle()
        #expect(device.faults.map(\.code) == [.fieldNotShown])
        #expect(sheet.state.problems.isEmpty)
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(sheet.state.problems.map(\.field) == [field.rawValue])
        #expect(sheet.state.phase == .ready)
    }

    @Test func sheetOverAnotherIsRefusedEvenRightAfterDismissal() async throws {
        let device = Fixture.device()
        let delegate = Delegate(items: items)
        let (first, sheet) = try present(request(), delegate, on: device)
        let second = SimulatedDevice.$current.withValue(device) { PKPaymentAuthorizationController(paymentRequest: request()) }
        var presented: [Bool] = []
        second.present { presented.append($0) }
        sheet.perform(.cancel)
        #expect(sheet.state.phase == .cancelled)
        second.present { presented.append($0) }
        while device.presentedSheet != nil { await Task.yield() }
        second.present { presented.append($0) }
        #expect(presented == [false, false, true])
        #expect(device.faults.map(\.code) == [.presentedOverAnother, .presentedOverAnother])
        #expect(delegate.finishes == 1)
        withExtendedLifetime(first) {}
    }

    @Test func simulatorsTokenIsEmpty() async throws {
        let delegate = Delegate(items: items)
        delegate.onAuthorize = { $0(.init(status: .success, errors: nil)) }
        let (_, sheet) = try present(request(), delegate, on: Fixture.device(isXcodeSimulator: true))
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(delegate.payments.map(\.token.paymentData) == [Data()])
    }

    @Test func unionPayCardWithoutEMVNeverComesBack() async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        let delegate = Delegate(items: items)
        let asked = request()
        asked.merchantCapabilities = [.threeDSecure]
        let (_, sheet) = try present(asked, delegate, on: device)
        sheet.perform(.authorize)
        await timer.untilSomeoneSleeps(for: PaymentSheet.callbackLimit)
        #expect(sheet.state.phase == .processing)
        timer.advance(by: PaymentSheet.callbackLimit)
        await sheet.settle()
        #expect(sheet.state.phase == .failed)
        #expect(delegate.payments.isEmpty)
        #expect(device.faults.map(\.code) == [.emvMissing])
    }

    @Test(arguments: [("1000", false), ("1000.01", true)])
    func issuerAsksForThePINAboveItsLimit(amount: String, asks: Bool) async throws {
        let wallet = FakeWallet()
        let delegate = Delegate(items: [.init(label: "Tea House", amount: NSDecimalNumber(string: amount))])
        delegate.onAuthorize = { $0(.init(status: .success, errors: nil)) }
        let asked = request()
        asked.paymentSummaryItems = delegate.items
        let (_, sheet) = try present(asked, delegate, on: Fixture.device(wallet: wallet))
        sheet.perform(.authorize)
        await sheet.settle()
        #expect((sheet.state.phase == .enteringPIN) == asks)
        if asks {
            for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] { sheet.perform(.enterPIN(bad)) }
            #expect(sheet.state.phase == .enteringPIN)
            sheet.perform(.enterPIN("123456"))
            await sheet.settle()
        }
        #expect(sheet.state.phase == .succeeded)
        #expect(wallet.authorized.map { $0.pin?.reveal() } == [asks ? "123456" : nil])
        #expect("\(wallet.authorized)".contains("123456") == false)
    }

    @Test func wrongPINIsAskedAgainUntilTheCardIsLocked() async throws {
        let wallet = FakeWallet()
        let delegate = Delegate(items: items)
        var statuses: [PKPaymentAuthorizationStatus] = [.pinRequired, .pinIncorrect, .pinLockout]
        delegate.onAuthorize = { $0(.init(status: statuses.removeFirst(), errors: nil)) }
        let (_, sheet) = try present(request(), delegate, on: Fixture.device(wallet: wallet))
        sheet.perform(.authorize)
        await sheet.settle()
        #expect(sheet.state.phase == .enteringPIN)
        sheet.perform(.enterPIN("111111"))
        await sheet.settle()
        #expect(sheet.state.message == "Incorrect PIN")
        sheet.perform(.enterPIN("222222"))
        await sheet.settle()
        #expect(sheet.state.phase == .failed)
        #expect(wallet.authorized.map { $0.pin?.reveal() } == [nil, "111111", "222222"])
    }

    @Test func cancelEndsTheSheetWhileAnAnswerIsAwaited() async throws {
        let timer = ManualTimer()
        let device = Fixture.device(timer: timer)
        let delegate = Delegate(items: items)
        var late: ((PKPaymentRequestPaymentMethodUpdate) -> Void)?
        delegate.onMethod = { late = $0 }
        let (_, sheet) = try present(request(), delegate, on: device)
        await timer.untilSomeoneSleeps(for: PaymentSheet.callbackLimit)
        sheet.perform(.cancel)
        #expect(sheet.state.phase == .cancelled)
        #expect(delegate.finishes == 1)
        #expect(device.faults.isEmpty)
        withExtendedLifetime(late) {}
    }

    @Test func merchantSessionThatIsRefusedFailsTheSheet() async throws {
        let delegate = Delegate(items: items)
        delegate.onSession = { $0(.init(status: .success, merchantSession: .init(dictionary: ["nonce": "1"]))) }
        let (_, sheet) = try present(request(), delegate, on: Fixture.device())
        sheet.perform(.requestMerchantSession)
        await sheet.settle()
        #expect(sheet.state.phase == .ready)
        delegate.onSession = { $0(.init(status: .failure, merchantSession: nil)) }
        sheet.perform(.requestMerchantSession)
        await sheet.settle()
        #expect(sheet.state.phase == .failed)
    }

    @Test func observersSeeEveryPhase() async throws {
        let delegate = Delegate(items: items)
        delegate.onAuthorize = { $0(.init(status: .success, errors: nil)) }
        let (_, sheet) = try present(request(), delegate, on: Fixture.device())
        await sheet.settle()
        let stream = sheet.states()
        sheet.perform(.authorize)
        var phases: [SheetState.Phase] = []
        for await state in stream where phases.last != state.phase { phases.append(state.phase) }
        #expect(phases == [.ready, .processing, .succeeded])
    }
}
