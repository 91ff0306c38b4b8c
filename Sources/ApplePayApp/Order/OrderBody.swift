import BillfoldMoney
import Foundation

/// The JSON of an order as the server writes it, before its amounts are understood.
struct OrderBody: Decodable {
    var id: String
    var reference: String
    var state: String
    var goods: String
    var currency: String
    var country: String
    var merchantName: String
    var merchantIdentifier: String
    var supportedNetworks: [String]
    var merchantCapabilities: [String]
    var applicationData: String?
    var requiredShippingContactFields: [String]
    var items: [ItemBody]
    var total: String
    var shippingMethods: [ShippingMethodBody]?
    var supportsCouponCode: Bool?
    var clientSecret: String?
    var payments: [CheckoutPayment]?
}

struct QuoteBody: Decodable {
    var items: [ItemBody]
    var total: String
    var shippingMethods: [ShippingMethodBody]?
    var errors: [FieldError]?
}

struct ItemBody: Decodable {
    var label: String
    var amount: String
    var type: String?
}

struct ShippingMethodBody: Decodable {
    var identifier: String
    var label: String
    var detail: String?
    var amount: String
}

/// Reads the server's JSON into values that cannot be wrong.
enum Wire {
    static func decode<Body: Decodable>(_ type: Body.Type, from json: Data) throws(ApplePayAppError) -> Body {
        do {
            return try JSONDecoder().decode(type, from: json)
        } catch {
            throw ApplePayAppError(code: .answerMalformed, reason: "the server's answer is not of the contract's form")
        }
    }

    static func currency(_ code: String) throws(ApplePayAppError) -> Currency {
        do { return try Currency(code) } catch {
            throw ApplePayAppError(code: .answerMalformed, reason: "\(error)")
        }
    }

    static func amount(_ text: String, _ currency: Currency) throws(ApplePayAppError) -> Amount {
        do { return try Amount(text, currency: currency, fraction: .exact) } catch {
            throw ApplePayAppError(code: .amountMalformed, reason: "\(error)")
        }
    }

    /// The lines without the total. Where the server lists the total as the last line, as the sheet does, it is left out.
    static func items(
        _ bodies: [ItemBody], _ currency: Currency, total: Amount, merchantName: String
    ) throws(ApplePayAppError) -> [CheckoutItem] {
        var items: [CheckoutItem] = []
        for body in bodies {
            items.append(CheckoutItem(label: body.label, amount: try amount(body.amount, currency), isPending: body.type == "pending"))
        }
        if items.count > 1, let last = items.last, last.label == merchantName, last.amount == total { items.removeLast() }
        return items
    }

    static func shippingMethods(_ bodies: [ShippingMethodBody], _ currency: Currency) throws(ApplePayAppError) -> [CheckoutShippingMethod] {
        var methods: [CheckoutShippingMethod] = []
        for body in bodies {
            methods.append(
                CheckoutShippingMethod(
                    identifier: body.identifier, label: body.label, detail: body.detail ?? "", amount: try amount(body.amount, currency)))
        }
        return methods
    }
}
