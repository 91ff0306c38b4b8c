public import Foundation

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

    /// Activates a pass that waits for a proof, on the word of the bank's app.
    open func activate(
        _ secureElementPass: PKSecureElementPass, activationData: Data, completion: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        let pass = secureElementPass.record
        let isRemote = secureElementPass.isRemotePass
        Task { @MainActor [device] in
            do {
                try await device.activate(pass, isRemote: isRemote, activationData: activationData)
                completion?(true, nil)
            } catch {
                completion?(false, error)
            }
        }
    }
}

/// What the library posts, with itself as the object, on the main actor.
public struct PKPassLibraryNotificationName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let PKPassLibraryDidChange = Self(rawValue: "PKPassLibraryDidChangeNotification")
    public static let PKPassLibraryRemotePaymentPassesDidChange = Self(
        rawValue: "PKPassLibraryRemotePaymentPassesDidChangeNotification")
}

/// Keys of a change's `userInfo`. Removed passes are dictionaries with the last two keys.
public struct PKPassLibraryNotificationKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let addedPassesUserInfoKey = Self(rawValue: "PKPassLibraryAddedPassesUserInfo")
    public static let replacementPassesUserInfoKey = Self(rawValue: "PKPassLibraryReplacementPassesUserInfo")
    public static let removedPassInfosUserInfoKey = Self(rawValue: "PKPassLibraryRemovedPassInfosUserInfo")
    public static let passTypeIdentifierUserInfoKey = Self(rawValue: "PKPassLibraryPassTypeIdentifierUserInfo")
    public static let serialNumberUserInfoKey = Self(rawValue: "PKPassLibrarySerialNumberUserInfo")
}
