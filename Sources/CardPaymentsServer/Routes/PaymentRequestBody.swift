import ApplePay
import BillfoldJSON
import BillfoldPayments
import Foundation

extension PaymentRequestBody {
    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(
            bytes, allowing: ["token", "shippingMethod", "shippingContact", "billingContact", "couponCode"])
        guard let token = try body.object("token", allowing: ["paymentData", "paymentMethod", "transactionIdentifier"]) else {
            throw RequestReader.malformed("token", "is missing")
        }
        guard let text = token.object["paymentData"]?.string else { throw CardPaymentsError.tokenRefused }
        // Whatever is wrong with the token itself is one refusal: of an unreadable base64 nothing is left to be verified.
        let data = Data(base64Encoded: text).map(Array.init)
        paymentData = data ?? []
        transactionIdentifier = try token.text("transactionIdentifier", maximum: 128)
        let method = try token.object("paymentMethod", allowing: ["displayName", "network", "type"])
        network = try method?.optionalText("network", maximum: 64)
        _ = try method?.optionalText("displayName")
        _ = try method?.optionalText("type", maximum: 32)
        choice = OrderPricing.Choice(
            shippingMethod: try body.optionalText("shippingMethod", maximum: 64),
            couponCode: try body.optionalText("couponCode", maximum: 64),
            contact: try Contact(body.object("shippingContact", allowing: Contact.keys)))
        billingContact = try Contact(body.object("billingContact", allowing: Contact.keys))
        let contacts = try? JSONDocument.encode(PaymentDetail.Contacts(shipping: choice.contact, billing: billingContact))
        fingerprint = RequestFingerprint(parts: [
            Array("POST /v1/orders/{id}/payments".utf8), data ?? Array(text.utf8), Array(transactionIdentifier.lowercased().utf8),
            Array((choice.shippingMethod ?? "").utf8),
            Array((choice.couponCode ?? "").utf8), contacts ?? [],
        ])
    }
}

/// `POST /v1/orders/{id}/quote`.
struct QuoteRequestBody: Sendable {
    var choice: OrderPricing.Choice

    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(bytes, allowing: ["shippingMethod", "shippingContact", "couponCode", "paymentMethod"])
        choice = OrderPricing.Choice(
            shippingMethod: try body.optionalText("shippingMethod", maximum: 64),
            couponCode: try body.optionalText("couponCode", maximum: 64),
            contact: try Contact(body.object("shippingContact", allowing: Contact.keys)))
        // Prices do not depend on the card today; the field is read so that a malformed one is refused.
        let method = try body.object("paymentMethod", allowing: ["network", "type", "displayName"])
        _ = try method?.optionalText("network", maximum: 64)
        _ = try method?.optionalText("type", maximum: 32)
        _ = try method?.optionalText("displayName")
    }
}
