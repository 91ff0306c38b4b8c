import Foundation
import Testing

@testable import PassKitSimulator

@MainActor @Suite struct SampleAppTests {
    private let newYork = SimulatedContact(
        id: "us", givenName: "Ann", familyName: "Example", street: "1 Example Street", city: "New York", state: "NY",
        postalCode: "10001", country: "United States", countryCode: "US")

    private func run(
        contacts: [SimulatedContact], actions: [PaymentSheet.Action]
    ) async throws -> (device: SimulatedDevice, sheet: PaymentSheet, handler: PaymentHandler, results: [Bool]) {
        let device = SimulatedDevice(.init(cards: [Fixture.visaCard], contacts: contacts), tokenSource: FakeWallet())
        let handler = PaymentHandler()
        var results: [Bool] = []
        SimulatedDevice.$current.withValue(device) { handler.startPayment { results.append($0) } }
        let sheet = try #require(handler.paymentController?.sheet)
        for action in actions {
            sheet.perform(action)
            await sheet.settle()
        }
        return (device, sheet, handler, results)
    }

    @Test func ordinaryAppCodePays() async throws {
        let run = try await run(contacts: [newYork], actions: [.enterCouponCode("FESTIVAL"), .authorize])
        #expect(run.sheet.state.phase == .succeeded)
        #expect(run.sheet.state.total == "8.99")
        #expect(run.results == [true])
        #expect(run.device.faults.isEmpty)
    }

    @Test func wrongCountryKeepsTheSheetOpenAndNamesIt() async throws {
        let run = try await run(contacts: [Fixture.lisbon, newYork], actions: [.authorize])
        #expect(run.sheet.state.phase == .ready)
        #expect(run.sheet.state.problems.map(\.code) == ["shippingAddressUnserviceableError", "shippingContactInvalidError"])
        #expect(run.sheet.state.problems.map(\.field) == [nil, "country"])
        run.sheet.perform(.selectContact("us"))
        run.sheet.perform(.authorize)
        await run.sheet.settle()
        #expect(run.sheet.state.phase == .succeeded)
    }

    @Test func wrongCouponIsNamedAndCostsNothing() async throws {
        let run = try await run(contacts: [newYork], actions: [.enterCouponCode("WRONG")])
        #expect(run.sheet.state.problems.map(\.code) == ["couponCodeInvalidError"])
        #expect(run.sheet.state.total == "10.99")
    }

    @Test func statusAsksTheDevice() {
        SimulatedDevice.$current.withValue(SimulatedDevice(.init(cards: []))) {
            #expect(PaymentHandler.applePayStatus() == (true, false))
            #expect(PKPaymentAuthorizationViewController.canMakePayments())
        }
        #expect(PaymentHandler.applePayStatus() == (false, false))
    }

    @Test func hiddenButtonHearsNoTap() {
        let button = PaymentHandler().makeButton()
        var taps = 0
        button.onTap = { taps += 1 }
        button.sendTap()
        button.isHidden = true
        button.sendTap()
        #expect(taps == 1)
    }
}
