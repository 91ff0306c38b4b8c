public import Foundation

/// <https://developer.apple.com/documentation/passkit/pkpasstype>
@available(iOS 8, *)
public enum PKPassType: UInt, Sendable {
    /// <https://developer.apple.com/documentation/passkit/pkpasstype/barcode>
    @available(iOS 8, *)
    case barcode
    /// <https://developer.apple.com/documentation/passkit/pkpasstype/secureelement>
    @available(iOS 13.4, *)
    case secureElement
}

/// <https://developer.apple.com/documentation/passkit/pkpass>
@available(iOS 6, *)
open class PKPass: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpass/secureelementpass>
    @available(iOS 13.4, *)
    open var secureElementPass: PKSecureElementPass? { nil }
    /// <https://developer.apple.com/documentation/passkit/pkpass/isremotepass>
    @available(iOS 9, *)
    open var isRemotePass: Bool { false }
    /// <https://developer.apple.com/documentation/passkit/pkpass/serialnumber>
    @available(iOS 6, *)
    open var serialNumber: String { "" }
    /// <https://developer.apple.com/documentation/passkit/pkpass/passtypeidentifier>
    @available(iOS 6, *)
    open var passTypeIdentifier: String { "" }
}

/// <https://developer.apple.com/documentation/passkit/pksecureelementpass>
@available(iOS 13.4, *)
open class PKSecureElementPass: PKPass {
    /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate>
    @available(iOS 13.4, *)
    public enum PassActivationState: Int, Sendable {
        /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate/activated>
        @available(iOS 13.4, *)
        case activated
        /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate/requiresactivation>
        @available(iOS 13.4, *)
        case requiresActivation
        /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate/activating>
        @available(iOS 13.4, *)
        case activating
        /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate/suspended>
        @available(iOS 13.4, *)
        case suspended
        /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate/deactivated>
        @available(iOS 13.4, *)
        case deactivated
    }

    /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/primaryaccountidentifier>
    @available(iOS 13.4, *)
    open var primaryAccountIdentifier: String { "" }
    /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/primaryaccountnumbersuffix>
    @available(iOS 13.4, *)
    open var primaryAccountNumberSuffix: String { "" }
    /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/deviceaccountidentifier>
    @available(iOS 13.4, *)
    open var deviceAccountIdentifier: String { "" }
    /// <https://developer.apple.com/documentation/passkit/pksecureelementpass/passactivationstate>
    @available(iOS 13.4, *)
    open var passActivationState: PKSecureElementPass.PassActivationState { .activated }
}

/// <https://developer.apple.com/documentation/passkit/pkpaymentpass>
@available(iOS 8, *)
open class PKPaymentPass: PKSecureElementPass {}

/// <https://developer.apple.com/documentation/passkit/pkpasslibrary>
@available(iOS 6, *)
open class PKPassLibrary: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkpasslibrary/openpaymentsetup()>
    @available(iOS 8.3, *)
    open func openPaymentSetup() {}
    /// <https://developer.apple.com/documentation/passkit/pkpasslibrary/passes(of:)>
    @available(iOS 8, *)
    open func passes(of passType: PKPassType) -> [PKPass] { [] }
    /// <https://developer.apple.com/documentation/passkit/pkpasslibrary/remotesecureelementpasses>
    @available(iOS 13.4, *)
    open var remoteSecureElementPasses: [PKSecureElementPass] { [] }
    /// <https://developer.apple.com/documentation/passkit/pkpasslibrary/canaddsecureelementpass(primaryaccountidentifier:)>
    @available(iOS 13.4, *)
    open func canAddSecureElementPass(primaryAccountIdentifier: String) -> Bool { false }
}
