public import Foundation

/// The view controller's questions about the device; what draws needs UIKit and is left out.
open class PKPaymentAuthorizationViewController: NSObject {
    /// As ``PKPaymentAuthorizationController/canMakePayments()``.
    open class func canMakePayments() -> Bool { PKPaymentAuthorizationController.canMakePayments() }

    /// As ``PKPaymentAuthorizationController/canMakePayments(usingNetworks:)``.
    open class func canMakePayments(usingNetworks supportedNetworks: [PKPaymentNetwork]) -> Bool {
        PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks)
    }

    /// As ``PKPaymentAuthorizationController/canMakePayments(usingNetworks:capabilities:)``.
    open class func canMakePayments(
        usingNetworks supportedNetworks: [PKPaymentNetwork], capabilities: PKMerchantCapability
    ) -> Bool {
        PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks, capabilities: capabilities)
    }
}
