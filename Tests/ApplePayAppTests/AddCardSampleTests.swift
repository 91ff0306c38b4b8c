import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

/// The documented integration, unchanged, between a host that seals and a broker that opens.
@MainActor @Suite struct AddCardSampleTests {
    private let card: SealedCard
    private let broker: OpeningBroker
    private let device: SimulatedDevice
    private let bankCard: BankCard

    init() throws {
        card = try SealedCard()
        broker = try OpeningBroker(card)
        device = SimulatedDevice(
            .init(appleAccount: "trusted@example.com", secureElementID: Fixture.phoneID, app: Fixture.bankApp),
            timer: ManualTimer().device, broker: broker)
        bankCard = BankCard(
            id: "card-1", holder: "MEI LIN", suffix: String(card.number.suffix(4)), description: "Example Visa",
            primaryAccountIdentifier: "V-1")
    }

    /// Taps the button and plays the customer; the screen afterwards, and the last state of the system's.
    private func run(
        _ card: BankCard? = nil, _ change: (inout SealingHost.Behaviour) -> Void = { _ in }
    ) async throws -> (CardViewController, AddPassState) {
        let host = SealingHost(self.card, trust: broker.authority.trust, change)
        let screen = SimulatedDevice.$current.withValue(device) {
            let screen = CardViewController(card: card ?? bankCard, backend: HostBackend(host: host))
            let button = screen.makeButton()
            button.onTap = { screen.addToWallet() }
            button.sendTap()
            return screen
        }
        let sheet = try #require(device.addPassSheet)
        return (screen, await sheet.play(AddPassScript()))
    }

    private func showsButton(_ screen: CardViewController) -> Bool {
        SimulatedDevice.$current.withValue(device) { screen.showsAddButton }
    }

    @Test func cardGoesIntoTheWallet() async throws {
        let (screen, last) = try await run()
        #expect(last.phase == .added && screen.status == .added(isReady: true))
        #expect(screen.pass?.primaryAccountNumberSuffix == bankCard.suffix && screen.pass?.deviceAccountNumberSuffix == "9876")
        #expect(screen.presentedViewController == nil && device.faults.isEmpty && broker.refusals.isEmpty)
        #expect(!showsButton(screen))
    }

    @Test func cardWithoutActivationDataIsAddedAndNotReady() async throws {
        let (screen, _) = try await run { $0.hasActivationData = false }
        #expect(screen.status == .added(isReady: false) && screen.pass?.passActivationState == .requiresActivation)
    }

    /// What each mistake is to the broker; the app learns only that it failed.
    @Test(arguments: ["other-leaf", "mixed-sessions", "other-card", "luhn"])
    func mistakesOfTheHostAreFoundByTheBroker(mistake: String) async throws {
        var generator = SystemRandomNumberGenerator()
        let stranger = try P256PrivateKey(using: &generator)
        let stale = try broker.issue(to: device.identity)
        let (screen, last) = try await run { behaviour in
            switch mistake {
            case "other-leaf": behaviour.otherLeaf = stranger
            case "mixed-sessions": behaviour.otherChallenge = stale
            case "other-card": behaviour.number = "4055510000001242"
            default: behaviour.number = "4055510000011234"
            }
        }
        let expected = ["other-leaf": "decryption-refused", "mixed-sessions": "nonce-mismatch"][mistake] ?? "card-differs"
        #expect(broker.refusals == [expected])
        #expect(last.phase == .failed && screen.status == .failed && device.passes.isEmpty)
        #expect(device.faults.map(\.code) == [.brokerRefused])
    }

    @Test func hostThatDoesNotTrustTheChainEndsTheFlow() async throws {
        let other = try OpeningBroker(card, seed: 32)
        let host = SealingHost(card, trust: other.authority.trust)
        let screen = SimulatedDevice.$current.withValue(device) {
            let screen = CardViewController(card: bankCard, backend: HostBackend(host: host))
            screen.addToWallet()
            return screen
        }
        try await #require(device.addPassSheet).play(AddPassScript())
        #expect(screen.status == .failed && device.faults.map(\.code) == [.addRequestIncomplete])
    }

    @Test func customerWhoCancelsIsNoFailure() async throws {
        let screen = SimulatedDevice.$current.withValue(device) {
            let screen = CardViewController(
                card: bankCard, backend: HostBackend(host: SealingHost(card, trust: broker.authority.trust)))
            screen.addToWallet()
            return screen
        }
        try #require(device.addPassSheet).perform(.cancel)
        #expect(screen.status == .cancelled && screen.pass == nil)
    }

    @Test func phoneThatCannotAddShowsNothing() {
        device.update { $0.app.mayAddPasses = false }
        SimulatedDevice.$current.withValue(device) {
            let screen = CardViewController(
                card: bankCard, backend: HostBackend(host: SealingHost(card, trust: broker.authority.trust)))
            screen.addToWallet()
            #expect(screen.status == .notSupported && screen.presentedViewController == nil)
        }
    }

    /// The library's own flow over the same wire.
    @Test func libraryAddsTheSameCard() async throws {
        let host = SealingHost(card, trust: broker.authority.trust)
        let client = HTTPIssuerServer(session: Secret("session-token")) { try await host.answer($0) }
        let screen = UIViewController()
        let bridge = SimulatedDevice.$current.withValue(device) {
            WalletBridge(issuer: client, inventory: PassInventory { .none }) { screen.present($0, animated: true) }
        }
        let adding = SimulatedDevice.$current.withValue(device) { Task { await bridge.addCard("card-1") } }
        while device.addPassSheet == nil { await Task.yield() }
        try await #require(device.addPassSheet).play(AddPassScript())
        guard case .added(let pass) = await adding.value else {
            Issue.record("the card must be usable")
            return
        }
        #expect(pass.suffix == bankCard.suffix && pass.isVisible && device.faults.isEmpty)
        let answer = try await SimulatedDevice.$current.withValue(device) { try await bridge.eligibility(card: "card-1") }
        #expect(answer == .complete)
    }
}
