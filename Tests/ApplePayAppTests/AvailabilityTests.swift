import PassKitSimulator
import Testing

@testable import ApplePayApp

@Suite struct AvailabilityTests {
    @Test(arguments: [(false, false, "hidden"), (false, true, "hidden"), (true, false, "setUp"), (true, true, "pay")])
    func decisionTableGivesOneAnswer(row: (deviceCanPay: Bool, cardFits: Bool, expected: String)) {
        let answer = ApplePayAvailability(deviceCanPay: row.deviceCanPay, cardFits: row.cardFits)
        #expect(answer.rawValue == row.expected)
    }

    @Test(arguments: [ApplePayAvailability.hidden, .setUp, .pay], [PKPaymentButtonType.buy, .donate])
    func eachAnswerHasAtMostOneButton(answer: ApplePayAvailability, purpose: PKPaymentButtonType) {
        let expected: PKPaymentButtonType? = answer == .hidden ? nil : answer == .setUp ? .setUp : purpose
        #expect(answer.buttonType(purpose: purpose) == expected)
    }

    private func ask(_ configuration: SimulatedDevice.Configuration, system: SystemVersion = .init(.iOS, 18)) -> ApplePayAvailability {
        SimulatedDevice.$current.withValue(SimulatedDevice(configuration)) {
            ApplePayAvailability.current(networks: [.chinaUnionPay], capabilities: [.threeDSecure, .emv], system: system)
        }
    }

    @Test func deviceDecides() {
        #expect(ask(.init(hasSecureElement: false, cards: [Fixture.unionPayCard])) == .hidden)
        #expect(ask(.init(isRestricted: true, cards: [Fixture.unionPayCard])) == .hidden)
        #expect(ask(.init(cards: [])) == .setUp)
        #expect(ask(.init(cards: [Fixture.visaCard])) == .setUp)
        #expect(ask(.init(cards: [Fixture.unionPayCard])) == .pay)
    }

    @Test func cardThatFitsTheNetworkOnlyAsksForSetUp() {
        var creditOnly = Fixture.unionPayCard
        creditOnly.capabilities = [.emv, .credit]
        let device = SimulatedDevice(.init(cards: [creditOnly]))
        let answer = SimulatedDevice.$current.withValue(device) {
            ApplePayAvailability.current(
                networks: [.chinaUnionPay], capabilities: [.threeDSecure, .emv, .debit], system: .init(.iOS, 18))
        }
        #expect(answer == .setUp)
    }

    @Test(arguments: [
        (SystemVersion(.iOS, 9, 1), ApplePayAvailability.hidden), (SystemVersion(.iOS, 9, 2), .pay), (SystemVersion(.iOS, 18), .pay),
        (SystemVersion(.watchOS, 2, 0), .hidden), (SystemVersion(.watchOS, 2, 1), .pay),
    ])
    func systemBelowTheMinimumHides(system: SystemVersion, expected: ApplePayAvailability) {
        #expect(ask(.init(cards: [Fixture.unionPayCard]), system: system) == expected)
    }

    @Test(arguments: ["", "x", "18.", "18.2.1.1", "-1", "١٨", "99999999999999999999"])
    func malformedVersionIsRefused(text: String) {
        #expect(throws: ApplePayAppError(code: .versionMalformed, reason: "")) { try SystemVersion(.iOS, text: text) }
    }

    @MainActor @Test func cardAddedInTheBackgroundIsSeenOnReturn() {
        let device = SimulatedDevice(.init(cards: []))
        SimulatedDevice.$current.withValue(device) {
            let monitor = AvailabilityMonitor(
                networks: [.chinaUnionPay], capabilities: [.threeDSecure, .emv], system: .init(.iOS, 18))
            var changes: [ApplePayAvailability] = []
            monitor.onChange = { changes.append($0) }
            #expect(monitor.availability == .setUp)
            device.update { $0.cards = [Fixture.unionPayCard] }
            #expect(monitor.availability == .setUp)
            monitor.refresh()
            monitor.refresh()
            #expect(changes == [.pay])
            device.update { $0.isRestricted = true }
            monitor.refresh()
            #expect(changes == [.pay, .hidden])
        }
    }

    @MainActor @Test func setUpButtonOpensTheWallet() {
        let device = SimulatedDevice(.init(cards: [])) { $0.update { $0.cards = [Fixture.unionPayCard] } }
        SimulatedDevice.$current.withValue(device) {
            let monitor = AvailabilityMonitor(
                networks: [.chinaUnionPay], capabilities: [.threeDSecure, .emv], system: .init(.iOS, 18))
            monitor.openSetUp()
            #expect(device.paymentSetupOpenings == 1)
            #expect(monitor.availability == .pay)
        }
    }
}
