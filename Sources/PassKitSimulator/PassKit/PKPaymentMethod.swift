public import Foundation

/// The chosen card. Not covered by the token's signature (apple-pay.md#token): a hint for display and surcharges only.
open class PKPaymentMethod: NSObject {
    /// Before authorisation nil for privacy; afterwards such as `"UnionPay 1234"`.
    public let displayName: String?
    public let network: PKPaymentNetwork?
    public let type: PKPaymentMethodType
    public let billingAddress: PKContact?

    init(displayName: String?, network: PKPaymentNetwork?, type: PKPaymentMethodType, billingAddress: PKContact? = nil) {
        self.displayName = displayName
        self.network = network
        self.type = type
        self.billingAddress = billingAddress
    }
}
