import ApplePay
import BillfoldJSON
import BillfoldPayments
import Foundation

extension PaymentRequestBody {
    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(
            bytes, allowing: ["token", "shippingMethod", "shippingContact", "billingContact", "couponCode"])
        let token = try Self.token(body)
        let form = try TokenForm(token.object["paymentData"])
        paymentData = form.bytes ?? []
        transactionIdentifier = try token.text("transactionIdentifier", maximum: 128)
        network = try CardShown(token).network
        choice = OrderPricing.Choice(
            shippingMethod: try body.filledText("shippingMethod", maximum: 64),
            couponCode: try body.filledText("couponCode", maximum: 64),
            contact: try Contact(body.object("shippingContact", allowing: Contact.keys)))
        billingContact = try Contact(body.object("billingContact", allowing: Contact.keys))
        let contacts = try? JSONDocument.encode(PaymentDetail.Contacts(shipping: choice.contact, billing: billingContact))
        fingerprint = RequestFingerprint(parts: [
            Array("POST /v1/orders/{id}/payments".utf8), form.counted, Array(transactionIdentifier.lowercased().utf8),
            Array((choice.shippingMethod ?? "").utf8),
            Array((choice.couponCode ?? "").utf8), contacts ?? [],
        ])
    }

    private static let tokenKeys = ["paymentData", "paymentMethod", "transactionIdentifier"]

    /// The token as an object, or as the JSON text of one.
    private static func token(_ body: RequestReader) throws(CardPaymentsError) -> RequestReader {
        if let text = body.object["token"]?.string {
            guard let object = try? JSONReader.readObject(Array(text.utf8), maximumBytes: 2 * PaymentToken.byteLimit) else {
                throw CardPaymentsError.tokenRefused
            }
            return try RequestReader(object, path: "token.", allowing: tokenKeys)
        }
        guard let token = try body.object("token", allowing: tokenKeys) else { throw RequestReader.malformed("token", "is missing") }
        return token
    }
}

/// `paymentData` in the forms in which apps and pages hand it on: base64 of the bytes (native), the object that JavaScript has, or its JSON
/// text (apple-pay.md#token-forms). The signature covers the values inside and not how they are written, so each form verifies.
private struct TokenForm {
    /// Nil for what is none of the three: of it nothing is left to be verified.
    var bytes: [UInt8]?
    /// What enters the request's fingerprint.
    var counted: [UInt8]

    /// Whatever is wrong with the token itself is one refusal.
    init(_ value: JSONValue?) throws(CardPaymentsError) {
        switch value {
        case .object(let object)?:
            counted = JSONWriter.write(object)
            bytes = counted
        case .string(let text)? where text.utf8.first { !Self.blank.contains($0) } == UInt8(ascii: "{"):
            counted = Array(text.utf8)
            bytes = counted
        case .string(let text)?:
            bytes = Data(base64Encoded: text).map(Array.init)
            counted = bytes ?? Array(text.utf8)
        default: throw CardPaymentsError.tokenRefused
        }
    }

    private static let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
}

/// What the wallet says of the card. Not signed: for display, and read so that a malformed one is refused.
private struct CardShown {
    var network: String?

    /// Browsers add the pass and the billing contact in some callbacks; neither is of use here.
    private static let keys = ["displayName", "network", "type", "paymentPass", "billingContact"]

    init(_ reader: RequestReader) throws(CardPaymentsError) {
        let method = try reader.object("paymentMethod", allowing: Self.keys)
        network = try method?.filledText("network", maximum: 64)
        _ = try method?.filledText("displayName")
        _ = try method?.filledText("type", maximum: 32)
    }
}

/// `POST /v1/orders/{id}/quote`.
struct QuoteRequestBody: Sendable {
    var choice: OrderPricing.Choice

    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(bytes, allowing: ["shippingMethod", "shippingContact", "couponCode", "paymentMethod"])
        choice = OrderPricing.Choice(
            shippingMethod: try body.filledText("shippingMethod", maximum: 64),
            couponCode: try body.filledText("couponCode", maximum: 64),
            contact: try Contact(body.object("shippingContact", allowing: Contact.keys)))
        // Prices do not depend on the card today.
        _ = try CardShown(body)
    }
}
