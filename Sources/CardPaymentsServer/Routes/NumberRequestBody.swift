import BillfoldJSON
import BillfoldPayments
import UnionPay

extension NumberRequestBody {
    init(_ bytes: [UInt8]) throws {
        let body = try RequestReader(bytes, allowing: ["shippingMethod", "shippingContact", "couponCode"])
        choice = OrderPricing.Choice(
            shippingMethod: try body.filledText("shippingMethod", maximum: 64),
            couponCode: try body.filledText("couponCode", maximum: 64),
            contact: try Contact(body.object("shippingContact", allowing: Contact.keys)))
        fingerprint = RequestFingerprint(parts: [
            Array(CardPaymentsService.numberOperation.utf8), Array((choice.shippingMethod ?? "").utf8),
            Array((choice.couponCode ?? "").utf8), try choice.contact.map { try JSONDocument.encode($0) } ?? [],
        ])
    }
}

extension AppResultBody {
    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(bytes, allowing: ["code", "data"])
        code = try body.text("code", maximum: 32)
        guard let data = try body.object("data", allowing: ["sign", "data"]) else { return }
        signed = UnverifiedAppResult(sign: try data.text("sign", maximum: 1_024), data: try data.text("data", maximum: 1_024))
    }
}
