public import Foundation

/// The chosen card. Not covered by the token's signature (apple-pay.md#token): a hint for display and surcharges only.
open class PKPaymentMethod: NSObject {
    /// Before authorisation nil for privacy; afterwards such as `"UnionPay 1234"`.
    public let displayName: String?
    public let network: PKPaymentNetwork?
    public let type: PKPaymentMethodType
    /// Nil: a card's billing address reaches the app as `PKPayment.billingContact` alone here.
    public var billingAddress: CNContact? { nil }

    init(displayName: String?, network: PKPaymentNetwork?, type: PKPaymentMethodType) {
        self.displayName = displayName
        self.network = network
        self.type = type
    }
}
