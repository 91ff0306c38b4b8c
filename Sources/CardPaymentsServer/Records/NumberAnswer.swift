/// The answer to a request for a number, as it is stored under its idempotency key.
struct NumberAnswer: Codable, Sendable, Hashable {
    var payment: PaymentView
    /// Absent where UnionPay gave none: nothing can be paid by this request.
    var tn: String?
    /// What the app hands to the client: "00" live, "01" test.
    var mode: String?
}
