/// The merchant's server, as the app knows it. Every failure is an ``ApplePayAppError``: `server-refused` when the server
/// decided, `server-unanswered` or `answer-malformed` when nobody knows.
public protocol MerchantServer: Sendable {
    /// Reads an order; also how the outcome of a payment is asked after an answer was lost.
    func order(_ access: OrderAccess) async throws(ApplePayAppError) -> CheckoutOrder

    /// The figures for what the customer has chosen so far.
    func quote(_ request: QuoteRequest, for order: CheckoutOrder, access: OrderAccess) async throws(ApplePayAppError) -> CheckoutQuote

    /// Pays. Sending the same key and submission again is safe: the server answers for the first.
    func pay(_ submission: PaymentSubmission, key: IdempotencyKey, access: OrderAccess) async throws(ApplePayAppError) -> PaymentAnswer
}
