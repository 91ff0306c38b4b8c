import Foundation

/// The merchant's server over HTTP; whatever client the app has carries the requests.
public struct HTTPMerchantServer: MerchantServer {
    private let exchange: HTTPExchange

    /// `send` throws when no answer came; every status is an answer.
    public init(send: @escaping @Sendable (HTTPQuestion) async throws -> HTTPAnswer) {
        // 409 is a conflict with a request under way: it decides nothing.
        exchange = HTTPExchange(send: send, server: "the merchant's server", undecided: [408, 409, 425, 429])
    }

    public func order(_ access: OrderAccess) async throws(ApplePayAppError) -> CheckoutOrder {
        try CheckoutOrder(json: try await exchange("GET", path(access), bearer: access.clientSecret))
    }

    public func quote(
        _ request: QuoteRequest, for order: CheckoutOrder, access: OrderAccess
    ) async throws(ApplePayAppError) -> CheckoutQuote {
        let body = try HTTPExchange.body(request)
        return try CheckoutQuote(
            json: try await exchange("POST", path(access, "/quote"), bearer: access.clientSecret, body: body), for: order)
    }

    public func pay(
        _ submission: PaymentSubmission, key: IdempotencyKey, access: OrderAccess
    ) async throws(ApplePayAppError) -> PaymentAnswer {
        let body = try await exchange(
            "POST", path(access, "/payments"), bearer: access.clientSecret,
            headers: [(name: "Idempotency-Key", value: key.rawValue)], body: try HTTPExchange.body(submission))
        return try Wire.decode(PaymentAnswer.self, from: body)
    }

    private func path(_ access: OrderAccess, _ tail: String = "") -> String {
        "/v1/orders/\(HTTPExchange.segment(access.orderID))\(tail)"
    }
}
