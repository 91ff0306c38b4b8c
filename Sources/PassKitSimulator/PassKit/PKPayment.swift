public import Foundation

/// An authorised payment: the token, and the contacts in full.
open class PKPayment: NSObject {
    public let token: PKPaymentToken
    public let billingContact: PKContact?
    public let shippingContact: PKContact?
    public let shippingMethod: PKShippingMethod?

    init(token: PKPaymentToken, billingContact: PKContact?, shippingContact: PKContact?, shippingMethod: PKShippingMethod?) {
        self.token = token
        self.billingContact = billingContact
        self.shippingContact = shippingContact
        self.shippingMethod = shippingMethod
    }
}

/// The encrypted payment. `paymentData` goes to the server as it is: re-serialising it breaks the signature.
open class PKPaymentToken: NSObject {
    public let paymentMethod: PKPaymentMethod
    /// Equals the header's `transactionId`, though its letter case can differ [V].
    public let transactionIdentifier: String
    /// Empty on a simulator (apple-pay.md#token [I]).
    public let paymentData: Data

    /// The card's name, as systems before iOS 9 have it.
    @available(iOS, deprecated: 9.0, message: "Use paymentMethod.")
    public var paymentInstrumentName: String { paymentMethod.displayName ?? "" }

    /// The card's network, as systems before iOS 9 have it.
    @available(iOS, deprecated: 9.0, message: "Use paymentMethod.")
    public var paymentNetwork: String { paymentMethod.network?.rawValue ?? "" }

    init(paymentMethod: PKPaymentMethod, transactionIdentifier: String, paymentData: Data) {
        self.paymentMethod = paymentMethod
        self.transactionIdentifier = transactionIdentifier
        self.paymentData = paymentData
    }
}
