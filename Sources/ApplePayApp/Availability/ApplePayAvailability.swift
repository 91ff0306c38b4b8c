#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// What to show of Apple Pay: one answer, so that two buttons can never contradict each other (apple-pay.md#availability [D]).
public enum ApplePayAvailability: String, Sendable, Hashable, CaseIterable {
    /// Show nothing of it: hide the button, do not grey it out.
    case hidden
    /// Show a "Set up" button that opens the wallet.
    case setUp
    /// Show a Pay button.
    case pay

    /// The decision table. `cardFits` counts only where the device can pay at all.
    public init(deviceCanPay: Bool, cardFits: Bool) {
        self = deviceCanPay ? (cardFits ? .pay : .setUp) : .hidden
    }

    /// Asks this device, unless its system is older than the networks need.
    public static func current(
        networks: [PKPaymentNetwork], capabilities: PKMerchantCapability, system: SystemVersion,
        minimums: MinimumSystems = .published
    ) -> ApplePayAvailability {
        let usable = networks.filter { minimums.allows($0, on: system) }
        guard !usable.isEmpty else { return .hidden }
        return ApplePayAvailability(
            deviceCanPay: PKPaymentAuthorizationController.canMakePayments(),
            cardFits: PKPaymentAuthorizationController.canMakePayments(usingNetworks: usable, capabilities: capabilities))
    }

    /// The button that fits the answer, or nil for none. `purpose` is the Pay button's wording.
    public func buttonType(purpose: PKPaymentButtonType = .buy) -> PKPaymentButtonType? {
        switch self {
        case .hidden: nil
        case .setUp: .setUp
        case .pay: purpose
        }
    }
}
