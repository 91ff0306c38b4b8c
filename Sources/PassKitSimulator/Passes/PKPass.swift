public import Foundation
public import UIKitSimulator

/// Which passes are asked for.
public enum PKPassType: UInt, Sendable {
    case barcode = 0
    case secureElement = 1
    case any = 0xFFFF_FFFF_FFFF_FFFF

    /// The name of systems before iOS 13.4.
    public static let payment = Self.secureElement
}

/// A pass at the moment it was asked for; a later question makes another object.
open class PKPass: NSObject {
    let record: WalletPass
    public let isRemotePass: Bool
    /// The name of the device that holds it.
    public let deviceName: String

    init(_ record: WalletPass, isRemote: Bool, deviceName: String) {
        self.record = record
        isRemotePass = isRemote
        self.deviceName = deviceName
        super.init()
    }

    /// Reads a pass from a file. There are none here: it throws ``PKPassKitError/Code/unsupportedVersionError``.
    public convenience init(data: Data) throws { throw PKPassKitError(.unsupportedVersionError) }

    open var passType: PKPassType { .secureElement }
    open var secureElementPass: PKSecureElementPass? { self as? PKSecureElementPass }
    /// ``secureElementPass`` under the name of systems before iOS 13.4.
    open var paymentPass: PKPaymentPass? { self as? PKPaymentPass }
    open var serialNumber: String { record.serialNumber }
    open var passTypeIdentifier: String { WalletPass.passTypeIdentifier }
    open var localizedName: String { record.localizedDescription }
    open var localizedDescription: String { record.localizedDescription }
    /// A picture of 38 points without anything on it: nothing is drawn here.
    open var icon: UIImage { UIImage(cgImage: CGImage(width: 38, height: 38)) }
    /// The bank's name; empty where the broker does not tell it.
    open var organizationName: String { record.organizationName }
    /// Opens the pass in Wallet: hand it to `UIApplication.open(_:)` (``SimulatedDevice/installWallet()``).
    open var passURL: URL? { record.walletURL }
    /// Nil: the wallet's broker keeps payment passes up to date, and no service of the bank's.
    open var webServiceURL: URL? { nil }
    /// Nil, as ``webServiceURL``.
    open var authenticationToken: String? { nil }
    /// Nil: a pass from a file says when it is of use, and there are none here.
    open var relevantDate: Date? { nil }
    /// Nil, as ``relevantDate``.
    open var userInfo: [AnyHashable: Any]? { nil }

    /// Nil, as ``relevantDate``.
    open func localizedValue(forFieldKey key: String) -> Any? { nil }

    /// Two objects are equal when they are of one pass in one device: its kind and its serial number.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PKPass else { return false }
        return other.serialNumber == serialNumber && other.passTypeIdentifier == passTypeIdentifier && other.isRemotePass == isRemotePass
    }

    open override var hash: Int { serialNumber.hashValue }
}

/// A pass whose keys are in the secure element.
open class PKSecureElementPass: PKPass {
    /// Whether the pass can be used.
    public enum PassActivationState: Int, Sendable, Hashable, Codable, CaseIterable {
        case activated = 0
        /// In the wallet, not usable: the customer must prove who he is.
        case requiresActivation
        case activating
        case suspended
        case deactivated
    }

    /// The network's reference of the card; never its number.
    open var primaryAccountIdentifier: String { record.primaryAccountIdentifier }
    open var primaryAccountNumberSuffix: String { record.primaryAccountNumberSuffix }
    open var deviceAccountIdentifier: String { record.deviceAccountIdentifier }
    /// The last digits of the number that the device pays with.
    open var deviceAccountNumberSuffix: String { record.deviceAccountNumberSuffix }
    open var passActivationState: PassActivationState { record.activationState }
    /// Nil: the wallet's servers give no such value for a payment card here [I].
    open var devicePassIdentifier: String? { nil }
    /// Nil: it is of car keys.
    open var pairedTerminalIdentifier: String? { nil }
}

/// ``PKSecureElementPass/PassActivationState`` under the name of systems before iOS 13.4.
public enum PKPaymentPassActivationState: UInt, Sendable {
    case activated = 0
    case requiresActivation, activating, suspended, deactivated
}

/// A ``PKSecureElementPass`` under the name of systems before iOS 13.4.
open class PKPaymentPass: PKSecureElementPass {
    /// The name of systems before iOS 13.4.
    open var activationState: PKPaymentPassActivationState {
        switch passActivationState {
        case .activated: .activated
        case .requiresActivation: .requiresActivation
        case .activating: .activating
        case .suspended: .suspended
        case .deactivated: .deactivated
        }
    }
}
