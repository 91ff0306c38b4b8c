import ApplePayApp
import BillfoldTrace
import Foundation
import PassKitSimulator

/// The bank's app while somebody is logged in: the issuer's cards, what the wallet offers for each, and the system's sheet.
@MainActor
final class BankApp {
    let issuer: HTTPIssuerServer
    private let bridge: WalletBridge
    private let device: SimulatedDevice
    private let view: UIViewController
    private(set) var cards: [IssuerCard] = []

    /// - Parameters:
    ///   - device: The current device.
    ///   - onPresent: Called with the system's sheet when it appears.
    init(session: BankSession, device: SimulatedDevice, surroundings: BankSurroundings, onPresent: @escaping @MainActor () -> Void) {
        self.device = device
        let traced = TracedIssuer(session: session.id, surroundings: surroundings) {
            device.addPassSheet?.state.selectedDevice.flatMap { surroundings.attempt(device.holder($0)) }
        }
        issuer = HTTPIssuerServer(session: session.token) { try await traced.send($0) }
        let view = UIViewController()
        self.view = view
        let inventory = PassInventory { device.pairedWatch.map { $0.configuration.isReachable ? .inReach : .outOfReach } ?? .none }
        bridge = WalletBridge(issuer: issuer, inventory: inventory, language: .english) { controller in
            view.present(controller, animated: true)
            onPresent()
        }
    }

    func readCards() async throws(ApplePayAppError) -> [BankScreen.Card] {
        cards = try await issuer.cards()
        var drawn: [BankScreen.Card] = []
        for card in cards { drawn.append(self.drawn(card, try await bridge.eligibility(card: card.id))) }
        return drawn
    }

    func add(_ card: String) async -> AddPassOutcome { await bridge.addCard(card) }

    /// What a page of the bank's inside the app is answered.
    func answer(_ message: String) async -> String { await bridge.answer(message) }

    /// The customer, who is logged in, vouches for a pass.
    func activate(_ pass: WalletPass) async throws {
        guard let card = cards.card(of: pass) else {
            throw SandboxRefusal(code: "card-unknown", reason: "the card is not one of yours", status: 404)
        }
        try await issuer.activate(card: card.id, tokenReference: pass.deviceAccountIdentifier)
    }

    private func drawn(_ card: IssuerCard, _ eligibility: ProvisioningEligibility) -> BankScreen.Card {
        let held = device.allPasses.filter { cards.card(of: $0)?.id == card.id }.map(BankScreen.Pass.init)
        return BankScreen.Card(
            id: card.id, displayName: card.displayName, network: card.network, suffix: card.suffix, status: card.status,
            button: .init(eligibility, held: held, device: device.configuration.kind.rawValue))
    }

    /// For the customer: what the issuer's code means.
    nonisolated static func sentence(for code: String) -> String {
        switch code {
        case "switched-off": "The bank does not offer this at the moment."
        case "card-blocked": "This card is blocked. Please call us."
        case "card-closed": "This card is closed."
        case "session-expired", "unauthorized": "You were logged out. Please log in again."
        default: "The bank does not answer. Please try again in a moment."
        }
    }
}

extension [IssuerCard] {
    /// The card that a pass stands for: the one with its account identifier. A card whose identifier the issuer has not heard of yet is
    /// told by its last digits, where one card alone can be meant.
    func card(of pass: WalletPass) -> IssuerCard? {
        let account = pass.primaryAccountIdentifier
        if !account.isEmpty, let named = first(where: { $0.primaryAccountIdentifier == account }) { return named }
        let possible = filter {
            $0.suffix == pass.primaryAccountNumberSuffix && (account.isEmpty || $0.primaryAccountIdentifier.isEmpty)
        }
        return possible.count == 1 ? possible.first : nil
    }
}

extension BankScreen.Button {
    /// - Parameters:
    ///   - held: The card's passes, wherever they are.
    ///   - device: The kind of the device in hand, for its name in sentences.
    init(_ eligibility: ProvisioningEligibility, held: [BankScreen.Pass], device: String) {
        let waits = held.filter { $0.state == .requiresActivation }
        let isSuspended = held.contains { $0.state == .suspended }
        switch eligibility {
        case .notSupported: self.init(.unavailable, reason: "This \(device) cannot hold cards.", code: "not-supported")
        case .notEntitled: self.init(.unavailable, reason: "This app may not add cards.", code: "not-entitled")
        case .disabledByIssuer(let code, _): self.init(.unavailable, reason: BankApp.sentence(for: code), code: code)
        case .addable(let devices) where devices == [.watch]:
            let here =
                waits.isEmpty ? isSuspended ? "suspended" : "ready to use" : "not verified yet"
            self.init(.addToWatch, "Add to the watch", reason: "In this \(device)'s wallet, \(here).")
        case .addable(let devices):
            self.init(.add, "Add to the wallet", reason: devices == [.thisDevice] && !held.isEmpty ? "On the watch already." : nil)
        case .pendingActivation where waits.allSatisfy(\.methods.isEmpty):
            self.init(.inReview, reason: "In the wallet, and not usable yet. We look at it and get in touch.")
        case .pendingActivation: self.init(.finishSetUp, "Finish set-up", reason: "In the wallet, and not usable before you verify it.")
        case .complete:
            self.init(.added, reason: isSuspended ? "In the wallet, and suspended." : "In the wallet, ready to use.")
        }
    }
}
