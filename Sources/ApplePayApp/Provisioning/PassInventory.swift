#if canImport(PassKit) && canImport(UIKit)
    import PassKit
#else
    import PassKitSimulator
#endif

/// The wallet's passes as this app sees them, and those that it added and does not see.
@MainActor
public final class PassInventory {
    private let library = PKPassLibrary()
    private let watch: @MainActor () -> WatchPresence
    private var hidden: [HiddenPass] = []

    private struct HiddenPass {
        var account: String
        var serialNumber: String
        var held: HeldPass
    }

    /// `watch` is asked at every question; on a phone, answer from `WCSession`.
    public init(watch: @escaping @MainActor () -> WatchPresence = { .unknown }) { self.watch = watch }

    public var deviceCanAddPasses: Bool { PKAddPaymentPassViewController.canAddPaymentPass() }

    /// The card's passes, on this device first. A card that was never in a wallet has an empty identifier, and none.
    public func passes(account: String) -> [HeldPass] {
        guard !account.isEmpty else { return [] }
        let shown = everything
        hidden.removeAll { pass in shown.contains { $0.pass.serialNumber == pass.serialNumber } }
        let seen = shown.filter { $0.pass.primaryAccountIdentifier == account }
        return seen.map { HeldPass(device: $0.device, activation: $0.pass.activation) }
            + hidden.filter { $0.account == account }.map(\.held)
    }

    /// Asks device, library and watch about a card now; what the issuer says is passed on.
    public func facts(account: String, issuer: IssuerEligibility) -> EligibilityFacts {
        EligibilityFacts(
            deviceCanAddPasses: deviceCanAddPasses, issuer: issuer,
            libraryCanAdd: library.canAddSecureElementPass(primaryAccountIdentifier: account), passes: passes(account: account),
            watch: watch())
    }

    /// Every pass that the library shows, with the device that holds it.
    var everything: [(device: PassHolder, pass: PKSecureElementPass)] {
        library.passes(of: .secureElement).compactMap(\.secureElementPass).map { (.thisDevice, $0) }
            + library.remoteSecureElementPasses.map { (.watch, $0) }
    }

    /// Remembers a pass that was added and that the library does not show: its metadata lacks this app, and without this the
    /// button would offer the card for ever. Lasts as long as this object, or until the library shows the pass.
    func rememberHidden(_ pass: PKSecureElementPass, on device: PassHolder) {
        hidden.append(
            HiddenPass(
                account: pass.primaryAccountIdentifier, serialNumber: pass.serialNumber,
                held: HeldPass(device: device, activation: pass.activation, isVisible: false)))
    }
}

extension PKSecureElementPass {
    /// An unknown state of a later system is not usable.
    var activation: HeldPass.Activation { HeldPass.Activation(rawValue: passActivationState.rawValue) ?? .deactivated }
}
