public import Foundation

/// How the issuer seals a card for the wallet's broker. The raw values are what the broker is asked with.
public struct PKEncryptionScheme: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Mandatory, unless the wallet's maker agreed otherwise.
    public static let ECC_V2 = Self(rawValue: "EV_ECC_v2")
    public static let RSA_V2 = Self(rawValue: "EV_RSA_v2")
}

/// Whether the pass pays or opens doors.
public enum PKAddPaymentPassStyle: Int, Sendable {
    case payment = 0
    case access
}

/// One line of the first screen.
open class PKLabeledValue: NSObject {
    public let label: String
    public let value: String

    public init(label: String, value: String) {
        self.label = label
        self.value = value
    }
}

/// What the add-pass flow is to show, and which devices it offers (rules: ``AddPassRule``).
open class PKAddPaymentPassRequestConfiguration: NSObject {
    public let encryptionScheme: PKEncryptionScheme
    open var style = PKAddPaymentPassStyle.payment
    /// This or ``primaryAccountSuffix`` must be set; support answers ask for both (provisioning.md#request-configuration [O]).
    open var cardholderName: String?
    /// The last digits of the card number.
    open var primaryAccountSuffix: String?
    open var cardDetails: [PKLabeledValue] = []
    open var localizedDescription: String?
    /// Hides the devices that hold this account's pass. When no device is left, every filter is ignored.
    open var primaryAccountIdentifier: String?
    /// Filters the pictures of the introduction screen; restricts nothing.
    open var paymentNetwork: PKPaymentNetwork?
    open var requiresFelicaSecureElement = false
    /// Filters the pictures of the introduction screen; restricts nothing.
    open var productIdentifiers: Set<String> = []

    /// Nil for a scheme that the system does not know.
    public init?(encryptionScheme: PKEncryptionScheme) {
        guard encryptionScheme == .ECC_V2 || encryptionScheme == .RSA_V2 else { return nil }
        self.encryptionScheme = encryptionScheme
        super.init()
    }
}
