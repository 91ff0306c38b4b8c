// The framework hands it on.
@_exported public import Foundation
public import UIKit

/// <https://developer.apple.com/documentation/passkit/pkencryptionscheme>
@available(iOS 9, *)
public struct PKEncryptionScheme: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// <https://developer.apple.com/documentation/passkit/pkencryptionscheme/init(rawvalue:)>
    @available(iOS 9, *)
    public init(rawValue: String) { self.rawValue = rawValue }
    /// <https://developer.apple.com/documentation/passkit/pkencryptionscheme/ecc_v2>
    @available(iOS 9, *)
    public static let ECC_V2 = Self(rawValue: "")
    /// <https://developer.apple.com/documentation/passkit/pkencryptionscheme/rsa_v2>
    @available(iOS 10, *)
    public static let RSA_V2 = Self(rawValue: "")
}

/// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassstyle>
@available(iOS 12, *)
public enum PKAddPaymentPassStyle: Int, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassstyle/payment>
    @available(iOS 12, *)
    case payment
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassstyle/access>
    @available(iOS 12, *)
    case access
}

/// <https://developer.apple.com/documentation/passkit/pklabeledvalue>
@available(iOS 10.1, *)
open class PKLabeledValue: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pklabeledvalue/init(label:value:)>
    @available(iOS 10.1, *)
    public init(label: String, value: String) { super.init() }
}

/// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration>
@available(iOS 9, *)
open class PKAddPaymentPassRequestConfiguration: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/init(encryptionscheme:)>
    @available(iOS 9, *)
    public init?(encryptionScheme: PKEncryptionScheme) { super.init() }
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/encryptionscheme>
    @available(iOS 9, *)
    open var encryptionScheme: PKEncryptionScheme { .ECC_V2 }
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/style>
    @available(iOS 12, *)
    open var style = PKAddPaymentPassStyle.payment
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/cardholdername>
    @available(iOS 9, *)
    open var cardholderName: String?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/primaryaccountsuffix>
    @available(iOS 9, *)
    open var primaryAccountSuffix: String?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/carddetails>
    @available(iOS 10.1, *)
    open var cardDetails: [PKLabeledValue] = []
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/localizeddescription>
    @available(iOS 9, *)
    open var localizedDescription: String?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/primaryaccountidentifier>
    @available(iOS 9, *)
    open var primaryAccountIdentifier: String?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/paymentnetwork>
    @available(iOS 9, *)
    open var paymentNetwork: PKPaymentNetwork?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/requiresfelicasecureelement>
    @available(iOS 10.1, *)
    open var requiresFelicaSecureElement = false
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequestconfiguration/productidentifiers>
    @available(iOS 12.3, *)
    open var productIdentifiers: Set<String> = []
}

/// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequest>
@available(iOS 9, *)
open class PKAddPaymentPassRequest: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequest/encryptedpassdata>
    @available(iOS 9, *)
    open var encryptedPassData: Data?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequest/activationdata>
    @available(iOS 9, *)
    open var activationData: Data?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequest/ephemeralpublickey>
    @available(iOS 9, *)
    open var ephemeralPublicKey: Data?
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassrequest/wrappedkey>
    @available(iOS 9, *)
    open var wrappedKey: Data?
}

/// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassviewcontroller>
@available(iOS 9, *)
open class PKAddPaymentPassViewController: UIViewController {
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassviewcontroller/canaddpaymentpass()>
    @available(iOS 9, *)
    open class func canAddPaymentPass() -> Bool { false }
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassviewcontroller/init(requestconfiguration:delegate:)>
    @available(iOS 9, *)
    public init?(
        requestConfiguration configuration: PKAddPaymentPassRequestConfiguration,
        delegate: (any PKAddPaymentPassViewControllerDelegate)?
    ) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
}

/// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassviewcontrollerdelegate>
@available(iOS 9, *)
public protocol PKAddPaymentPassViewControllerDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassviewcontrollerdelegate/addpaymentpassviewcontroller(_:generaterequestwithcertificatechain:nonce:noncesignature:completionhandler:)>
    @available(iOS 9, *)
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void)
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpassviewcontrollerdelegate/addpaymentpassviewcontroller(_:didfinishadding:error:)>
    @available(iOS 9, *)
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: (any Error)?)
}

/// <https://developer.apple.com/documentation/passkit/pkpasskiterrordomain>
@available(iOS 6, *)
public let PKPassKitErrorDomain = ""

/// <https://developer.apple.com/documentation/passkit/pkaddpaymentpasserror>
@available(iOS 9, *)
public enum PKAddPaymentPassError: Int, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpasserror/unsupported>
    @available(iOS 9, *)
    case unsupported
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpasserror/usercancelled>
    @available(iOS 9, *)
    case userCancelled
    /// <https://developer.apple.com/documentation/passkit/pkaddpaymentpasserror/systemcancelled>
    @available(iOS 9, *)
    case systemCancelled
}
