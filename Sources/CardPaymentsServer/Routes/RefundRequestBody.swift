import BillfoldJSON

extension RefundRequestBody {
    init(_ bytes: [UInt8]) throws(CardPaymentsError) {
        let body = try RequestReader(bytes, allowing: ["amount", "reason"])
        amount = try body.text("amount", maximum: 32)
        reason = try body.optionalText("reason")
    }
}
