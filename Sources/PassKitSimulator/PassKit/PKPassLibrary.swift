public import Foundation

/// The wallet's library; here only what a merchant's app asks of it.
open class PKPassLibrary: NSObject {
    private let device = SimulatedDevice.current

    public override init() { super.init() }

    open class func isPassLibraryAvailable() -> Bool { true }

    /// Opens the wallet so that the customer can add a card. The device counts the openings and may react to them.
    open func openPaymentSetup() { device.openPaymentSetup() }
}
