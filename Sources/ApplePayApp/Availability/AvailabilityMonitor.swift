#if canImport(PassKit) && canImport(UIKit)
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// Keeps the answer fresh: a card may be added or removed while the app is in the background (apple-pay.md#availability [I]).
@MainActor
public final class AvailabilityMonitor {
    public private(set) var availability: ApplePayAvailability
    /// Called when the answer has changed.
    public var onChange: ((ApplePayAvailability) -> Void)?
    private let ask: @MainActor () -> ApplePayAvailability

    public init(
        networks: [PKPaymentNetwork], capabilities: PKMerchantCapability, system: SystemVersion,
        minimums: MinimumSystems = .published
    ) {
        ask = {
            ApplePayAvailability.current(networks: networks, capabilities: capabilities, system: system, minimums: minimums)
        }
        availability = ask()
    }

    /// Call it when the app becomes active, and after the wallet's set-up was opened.
    public func refresh() {
        let answer = ask()
        guard answer != availability else { return }
        availability = answer
        onChange?(answer)
    }

    /// What a tap on the "Set up" button does.
    public func openSetUp() {
        PKPassLibrary().openPaymentSetup()
        refresh()
    }
}
