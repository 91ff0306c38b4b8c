public import CoreGraphics
public import Foundation

/// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionstatus>
@available(iOS 14, *)
open class PKIssuerProvisioningExtensionStatus: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionstatus/requiresauthentication>
    @available(iOS 14, *)
    open var requiresAuthentication = false
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionstatus/passentriesavailable>
    @available(iOS 14, *)
    open var passEntriesAvailable = false
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionstatus/remotepassentriesavailable>
    @available(iOS 14, *)
    open var remotePassEntriesAvailable = false
}

/// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionpassentry>
@available(iOS 14, *)
open class PKIssuerProvisioningExtensionPassEntry: NSObject {}

/// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionpaymentpassentry>
@available(iOS 14, *)
open class PKIssuerProvisioningExtensionPaymentPassEntry: PKIssuerProvisioningExtensionPassEntry {
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionpaymentpassentry/init(identifier:title:art:addrequestconfiguration:)>
    @available(iOS 14, *)
    public init?(
        identifier: String, title: String, art: CGImage, addRequestConfiguration configuration: PKAddPaymentPassRequestConfiguration
    ) { super.init() }
}

/// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionhandler>
@available(iOS 14, *)
open class PKIssuerProvisioningExtensionHandler: NSObject {
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionhandler/status(completion:)>
    @available(iOS 14, *)
    open func status(completion: @escaping @Sendable (PKIssuerProvisioningExtensionStatus) -> Void) {}
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionhandler/passentries(completion:)>
    @available(iOS 14, *)
    open func passEntries(completion: @escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {}
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionhandler/remotepassentries(completion:)>
    @available(iOS 14, *)
    open func remotePassEntries(completion: @escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {}
    /// <https://developer.apple.com/documentation/passkit/pkissuerprovisioningextensionhandler/generateaddpaymentpassrequestforpassentrywithidentifier(_:configuration:certificatechain:nonce:noncesignature:completionhandler:)>
    @available(iOS 14, *)
    open func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String, configuration: PKAddPaymentPassRequestConfiguration, certificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler completion: @escaping @Sendable (PKAddPaymentPassRequest?) -> Void
    ) {}
}
