#if canImport(PassKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// The four functions that a hybrid app offers its pages: show the button, contains the card, activation state, add the card.
@MainActor
public final class WalletBridge {
    public let inventory: PassInventory
    private let issuer: any IssuerServer
    private let settings: AddPassSettings
    private let present: @MainActor (PKAddPaymentPassViewController) -> Void
    private var isAdding = false

    public init(
        issuer: any IssuerServer, inventory: PassInventory, settings: AddPassSettings = .init(),
        present: @escaping @MainActor (PKAddPaymentPassViewController) -> Void
    ) {
        self.issuer = issuer
        self.inventory = inventory
        self.settings = settings
        self.present = present
    }

    /// Whether and where the card can be added; show the button for `addable` alone. A device that cannot is not asked about
    /// to the issuer.
    public func eligibility(card id: IssuerCard.ID) async throws(ApplePayAppError) -> ProvisioningEligibility {
        guard inventory.deviceCanAddPasses else { return .notSupported }
        let switched = try await issuer.eligibility(card: id)
        guard switched == .enabled else { return inventory.facts(account: "", issuer: switched).eligibility }
        let account = try await card(id).primaryAccountIdentifier
        return inventory.facts(account: account, issuer: switched).eligibility
    }

    /// Whether this device or the watch holds the card.
    public func containsCard(_ id: IssuerCard.ID) async throws(ApplePayAppError) -> Bool {
        !inventory.passes(account: try await card(id).primaryAccountIdentifier).isEmpty
    }

    /// The state of the card's pass on each device that holds one.
    public func activationState(card id: IssuerCard.ID) async throws(ApplePayAppError) -> [WalletDevice: HeldPass.Activation] {
        let passes = inventory.passes(account: try await card(id).primaryAccountIdentifier)
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
            return await flow.start()
        } catch {
            return .failed(error)
        }
    }

    private func card(_ id: IssuerCard.ID) async throws(ApplePayAppError) -> IssuerCard {
        guard let card = try await issuer.cards().first(where: { $0.id == id }) else {
            throw ApplePayAppError(code: .unknownCard, reason: "the issuer's list has no such card")
        }
        return card
    }
}
