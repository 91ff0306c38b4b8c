public import CustomerLanguages
public import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// The four functions that a hybrid app offers its pages: show the button, contains the card, activation state, add the card.
@MainActor
public final class WalletBridge {
    public let inventory: PassInventory
    /// Of the sentences in a page's answers.
    public let language: CustomerLanguage
    private let issuer: any IssuerServer
    private let settings: AddPassSettings
    private let present: @MainActor (PKAddPaymentPassViewController) -> Void
    private var isAdding = false
    /// What the wallet said of cards that were just added: the issuer may hear of a new reference a little later.
    private var accounts: [IssuerCard.ID: String] = [:]

    /// Makes the bridge of one customer who is logged in.
    ///
    /// - Parameters:
    ///   - issuer: The issuer's host, in the customer's session.
    ///   - inventory: What the wallets of this device and of its watch hold.
    ///   - settings: How the flow waits.
    ///   - language: In which the customer is told how an adding ended; unless given, the device's.
    ///   - present: Shows the wallet's screen.
    public init(
        issuer: any IssuerServer, inventory: PassInventory, settings: AddPassSettings = .init(),
        language: CustomerLanguage = CustomerLanguage(preferred: Locale.preferredLanguages),
        present: @escaping @MainActor (PKAddPaymentPassViewController) -> Void
    ) {
        self.issuer = issuer
        self.inventory = inventory
        self.settings = settings
        self.language = language
        self.present = present
    }

    /// Whether and where the card can be added; show the button for `addable` alone. A device that cannot is not asked about
    /// to the issuer.
    public func eligibility(card id: IssuerCard.ID) async throws(ApplePayAppError) -> ProvisioningEligibility {
        guard inventory.deviceCanAddPasses else { return .notSupported }
        let switched = try await issuer.eligibility(card: id)
        guard switched == .enabled else { return inventory.facts(account: "", issuer: switched).eligibility }
        return inventory.facts(account: try await account(of: id), issuer: switched).eligibility
    }

    /// Whether this device or the watch holds the card.
    public func containsCard(_ id: IssuerCard.ID) async throws(ApplePayAppError) -> Bool {
        !inventory.passes(account: try await account(of: id)).isEmpty
    }

    /// The state of the card's pass on each device that holds one.
    public func activationState(card id: IssuerCard.ID) async throws(ApplePayAppError) -> [PassHolder: HeldPass.Activation] {
        let passes = inventory.passes(account: try await account(of: id))
        return Dictionary(passes.map { ($0.device, $0.activation) }, uniquingKeysWith: { first, _ in first })
    }

    /// Runs the add-pass flow. One at a time: another is refused (`flow-under-way`).
    public func addCard(_ id: IssuerCard.ID) async -> AddPassOutcome {
        guard !isAdding else { return .failed(ApplePayAppError(code: .flowUnderWay, reason: "another card is being added")) }
        isAdding = true
        defer { isAdding = false }
        do throws(ApplePayAppError) {
            let flow = AddPassFlow(
                card: try await card(id), issuer: issuer, inventory: inventory, settings: settings, present: present)
            let outcome = await flow.start()
            if case .added(let pass) = outcome { accounts[id] = pass.primaryAccountIdentifier }
            if case .pendingActivation(let pass) = outcome { accounts[id] = pass.primaryAccountIdentifier }
            return outcome
        } catch {
            return .failed(error)
        }
    }

    /// Answers the link by which Wallet asks for a proof in the bank's app (`…?serialNumber=…&action=verify`). Call it when the
    /// customer has logged in: the issuer then activates the pass through the network.
    ///
    /// A phone and its watch send the same link, so the pass that waits is meant, whichever device holds it. Refused for a link
    /// without such a pass (`no-pass-to-verify`), and by the issuer where a person must decide.
    public func verify(link: String) async throws(ApplePayAppError) {
        let items = URLComponents(string: link)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        let waiting = inventory.everything.map(\.pass).first { pass in
            pass.serialNumber == value("serialNumber") && pass.passTypeIdentifier == value("passTypeIdentifier")
                && pass.activation == .requiresActivation
        }
        guard value("action") == "verify", let waiting else {
            throw ApplePayAppError(code: .noPassToVerify, reason: "the link names no pass that waits for a proof")
        }
        let owned = try await issuer.cards().first {
            ($0.primaryAccountIdentifier.isEmpty ? accounts[$0.id] : $0.primaryAccountIdentifier) == waiting.primaryAccountIdentifier
        }
        guard let owned else { throw Self.unknownCard() }
        try await issuer.activate(card: owned.id, tokenReference: waiting.deviceAccountIdentifier)
    }

    private func account(of id: IssuerCard.ID) async throws(ApplePayAppError) -> String {
        let known = try await card(id).primaryAccountIdentifier
        return known.isEmpty ? accounts[id] ?? "" : known
    }

    private func card(_ id: IssuerCard.ID) async throws(ApplePayAppError) -> IssuerCard {
        guard let card = try await issuer.cards().first(where: { $0.id == id }) else {
            throw Self.unknownCard()
        }
        return card
    }

    private static func unknownCard() -> ApplePayAppError {
        ApplePayAppError(code: .unknownCard, reason: "the issuer's list has no such card")
    }
}
