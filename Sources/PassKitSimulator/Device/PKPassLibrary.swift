import BillfoldConcurrency
public import Foundation

/// How adding passes from files ended.
public enum PKPassLibraryAddPassesStatus: Int, Sendable {
    case didAddPasses = 0
    case shouldReviewPasses
    case didCancelAddPasses
}

/// The wallet's library, as the current device's app sees it.
open class PKPassLibrary: NSObject {
    let device = SimulatedDevice.current

    public override init() {
        super.init()
        device.register(self)
    }

    /// Whether the device has a wallet. Every simulated one has.
    open class func isPassLibraryAvailable() -> Bool { true }

    /// Opens the wallet so that the customer can add a card. The device counts the openings and may react to them.
    open func openPaymentSetup() { device.openPaymentSetup() }

    // MARK: Passes

    /// The passes of this device that name the app among their associated applications; a phone and its watch each hold
    /// their own.
    open func passes(of passType: PKPassType) -> [PKPass] {
        passType == .barcode ? [] : device.visiblePasses(isRemote: false)
    }

    /// Every pass that ``passes(of:)`` gives for any type.
    open func passes() -> [PKPass] { passes(of: .any) }

    /// The passes of the watch that is in reach, as far as the phone has heard of them.
    open var remoteSecureElementPasses: [PKSecureElementPass] { device.visiblePasses(isRemote: true) }

    /// The name of systems before iOS 13.4.
    open func remotePaymentPasses() -> [PKPaymentPass] { device.visiblePasses(isRemote: true) }

    /// Whether this device, or its watch in reach, supports passes and does not hold one of the account that the app can
    /// see. Always false without the entitlement, which looks the same as "already there".
    open func canAddSecureElementPass(primaryAccountIdentifier: String) -> Bool {
        device.canAddPass(primaryAccountIdentifier: primaryAccountIdentifier)
    }

    /// The name of systems before iOS 13.4.
    open func canAddPaymentPass(withPrimaryAccountIdentifier primaryAccountIdentifier: String) -> Bool {
        canAddSecureElementPass(primaryAccountIdentifier: primaryAccountIdentifier)
    }

    /// The pass of a kind and a number, on this device or on its watch in reach; nil where the app may not see such a pass.
    open func pass(withPassTypeIdentifier identifier: String, serialNumber: String) -> PKPass? {
        everyPass.first { $0.passTypeIdentifier == identifier && $0.serialNumber == serialNumber }
    }

    /// Whether the library shows the app such a pass now, on the device that the object was of.
    open func containsPass(_ pass: PKPass) -> Bool { everyPass.contains(pass) }

    /// Removes a pass, here or on the watch in reach. Ask the customer first. Does nothing without the entitlement, for a pass that the
    /// app may not see, and where the broker does not take it out: the answer is the change that the library announces.
    open func removePass(_ pass: PKPass) {
        guard containsPass(pass), device.mayActOnPasses else { return }
        Task { @MainActor [device, serial = pass.serialNumber, isRemote = pass.isRemotePass] in
            await device.removePass(serial, isRemote: isRemote)
        }
    }

    /// Always false: what can be replaced is a pass from a file, and there are none here.
    open func replacePass(with pass: PKPass) -> Bool { false }

    /// Asks the customer to add passes from files. There are none here: the completion hears later, on the main actor, that nothing was
    /// added.
    open func addPasses(_ passes: [PKPass], withCompletionHandler completion: ((PKPassLibraryAddPassesStatus) -> Void)? = nil) {
        let completion = HandedOver(completion)
        Task { @MainActor in completion.value?(.didCancelAddPasses) }
    }

    /// As ``addPasses(_:withCompletionHandler:)``.
    nonisolated(nonsending) open func addPasses(_ passes: [PKPass]) async -> PKPassLibraryAddPassesStatus { .didCancelAddPasses }

    /// Whether the phone, or its watch in reach, has a secure element for FeliCa.
    open func canAddFelicaPass() -> Bool { device.passDevices.contains(where: \.configuration.hasFelica) }

    /// Shows a pass for paying at a terminal. Only a pass of this device that the app may see and that is active is shown
    /// (``SimulatedDevice/shownPasses``).
    open func present(_ pass: PKPaymentPass) { present(pass as PKSecureElementPass) }

    /// As ``present(_:)-(PKPaymentPass)``, from iOS 13.4 on.
    open func present(_ pass: PKSecureElementPass) {
        guard !pass.isRemotePass, containsPass(pass) else { return }
        device.showPass(pass.serialNumber, forPaying: true)
    }

    private var everyPass: [PKPass] { passes(of: .any) + remoteSecureElementPasses }
}
