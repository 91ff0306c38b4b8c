public import BillfoldMoney
public import Foundation

/// What the customer has chosen in the sheet so far.
public struct QuoteRequest: Sendable, Hashable, Encodable {
    /// The card that is chosen in the sheet, as far as PassKit tells before authorisation.
    public struct PaymentMethod: Sendable, Hashable, Encodable {
        public var network: String?
        public var type: String

        public init(network: String?, type: String) {
            self.network = network
            self.type = type
        }
    }

    public var shippingMethod: String?
    /// Redacted: what PassKit gives before authorisation.
    public var shippingContact: ContactDetails?
    public var couponCode: String?
    public var paymentMethod: PaymentMethod?

    public init() {}
}

/// The order's figures for what the customer has chosen.
public struct CheckoutQuote: Sendable, Hashable {
    public var items: [CheckoutItem]
    public var total: Amount
    public var shippingMethods: [CheckoutShippingMethod]
    public var errors: [FieldError]

    public init(items: [CheckoutItem], total: Amount, shippingMethods: [CheckoutShippingMethod], errors: [FieldError] = []) {
        self.items = items
        self.total = total
        self.shippingMethods = shippingMethods
        self.errors = errors
    }

    public init(json: Data, for order: CheckoutOrder) throws(ApplePayAppError) {
        let wire = try Wire.decode(QuoteBody.self, from: json)
        total = try Wire.amount(wire.total, order.currency)
        items = try Wire.items(wire.items, order.currency, total: total, merchantName: order.merchantName)
        shippingMethods = try Wire.shippingMethods(wire.shippingMethods ?? [], order.currency)
        errors = wire.errors ?? []
    }
}
