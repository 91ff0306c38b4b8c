public import BillfoldDiagnosis
public import BillfoldMoney
public import Foundation

/// A server-side order, as the app receives it. The app mirrors its figures and is never their source.
public struct CheckoutOrder: Sendable {
    /// What is sold, and with it what the sheet asks the customer for.
    public enum Goods: String, Sendable, Hashable {
        /// Asks for address, name, phone and e-mail, and offers shipping methods.
        case delivered
        /// Asks for an e-mail address only.
        case electronic
    }

    public var id: String
    public var reference: String
    public var state: String
    public var goods: Goods
    public var currency: Currency
    /// The merchant's processing country.
    public var country: String
    public var merchantName: String
    public var merchantIdentifier: String
    public var supportedNetworks: [String]
    public var merchantCapabilities: [String]
    /// Binds the token to this order; opaque.
    public var applicationData: Data?
    public var requiredShippingContactFields: [String]
    public var items: [CheckoutItem]
    public var total: Amount
    public var shippingMethods: [CheckoutShippingMethod]
    public var supportsCouponCode: Bool
    /// Lets the app ask for quotes, pay and read this one order. Nil where the server does not repeat it.
    public var clientSecret: Secret<String>?
    public var payments: [CheckoutPayment]

    /// Reads the server's JSON; refuses what is not of the contract's form (`answer-malformed`, `amount-malformed`).
    public init(json: Data) throws(ApplePayAppError) {
        let wire = try Wire.decode(OrderBody.self, from: json)
        guard let goods = Goods(rawValue: wire.goods) else {
            throw ApplePayAppError(code: .answerMalformed, reason: "goods is neither delivered nor electronic")
        }
        let currency = try Wire.currency(wire.currency)
        id = wire.id
        reference = wire.reference
        state = wire.state
        self.goods = goods
        self.currency = currency
        country = wire.country
        merchantName = wire.merchantName
        merchantIdentifier = wire.merchantIdentifier
        supportedNetworks = wire.supportedNetworks
        merchantCapabilities = wire.merchantCapabilities
        if let text = wire.applicationData, !text.isEmpty {
            guard let data = Data(base64Encoded: text) else {
                throw ApplePayAppError(code: .answerMalformed, reason: "applicationData is not base64")
            }
            applicationData = data
        }
        requiredShippingContactFields = wire.requiredShippingContactFields
        total = try Wire.amount(wire.total, currency)
        items = try Wire.items(wire.items, currency, total: total, merchantName: wire.merchantName)
        shippingMethods = try Wire.shippingMethods(wire.shippingMethods ?? [], currency)
        // Coupons are the server's secret: an order that says nothing offers the field.
        supportsCouponCode = wire.supportsCouponCode ?? true
        clientSecret = wire.clientSecret.map { Secret($0) }
        payments = wire.payments ?? []
    }
}

/// One payment of an order, as the server tells it.
public struct CheckoutPayment: Sendable, Hashable, Codable {
    public var id: String
    /// The server's state; ``PaymentVerdict`` reads it.
    public var state: String
    public var reason: String?

    public init(id: String, state: String, reason: String? = nil) {
        self.id = id
        self.state = state
        self.reason = reason
    }

    public var verdict: PaymentVerdict { PaymentVerdict(state: state) }
}
