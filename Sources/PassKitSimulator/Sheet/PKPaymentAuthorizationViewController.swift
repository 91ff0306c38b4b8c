public import Foundation

/// The view controller's questions about the device; what draws needs UIKit and is left out.
open class PKPaymentAuthorizationViewController: NSObject {
    open class func canMakePayments() -> Bool { PKPaymentAuthorizationController.canMakePayments() }

    open class func canMakePayments(usingNetworks supportedNetworks: [PKPaymentNetwork]) -> Bool {
        PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks)
    }

    open class func canMakePayments(
        usingNetworks supportedNetworks: [PKPaymentNetwork], capabilities: PKMerchantCapability
    ) -> Bool {
        PKPaymentAuthorizationController.canMakePayments(usingNetworks: supportedNetworks, capabilities: capabilities)
    }
}
