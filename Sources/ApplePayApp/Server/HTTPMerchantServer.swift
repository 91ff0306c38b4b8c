import BillfoldDiagnosis
import Foundation

/// The merchant's server over HTTP; whatever client the app has carries the requests.
public struct HTTPMerchantServer: MerchantServer {
    private let send: @Sendable (HTTPQuestion) async throws -> HTTPAnswer

    /// `send` throws when no answer came; every status is an answer.
    public init(send: @escaping @Sendable (HTTPQuestion) async throws -> HTTPAnswer) { self.send = send }

    public func order(_ access: OrderAccess) async throws(ApplePayAppError) -> CheckoutOrder {
        try CheckoutOrder(json: try await exchange("GET", "", access))
    }

    public func quote(
        _ request: QuoteRequest, for order: CheckoutOrder, access: OrderAccess
    ) async throws(ApplePayAppError) -> CheckoutQuote {
        try CheckoutQuote(json: try await exchange("POST", "/quote", access, body: try encode(request)), for: order)
    }

    public func pay(
        _ submission: PaymentSubmission, key: IdempotencyKey, access: OrderAccess
    ) async throws(ApplePayAppError) -> PaymentAnswer {
        let headers = [(name: "Idempotency-Key", value: key.rawValue)]
        let body = try await exchange("POST", "/payments", access, headers: headers, body: try encode(submission))
        return try Wire.decode(PaymentAnswer.self, from: body)
    }

    private func encode(_ value: some Encodable) throws(ApplePayAppError) -> Data {
        let encoder = JSONEncoder()
        // The server compares a repeated request with the first: the same value must give the same bytes.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(value) } catch {
            throw ApplePayAppError(code: .answerMalformed, reason: "the request cannot be written as JSON")
        }
    }

    private func exchange(
        _ method: String, _ tail: String, _ access: OrderAccess, headers: [(name: String, value: String)] = [], body: Data? = nil
    ) async throws(ApplePayAppError) -> Data {
        var all = headers
        all.append((name: "Authorization", value: "Bearer \(access.clientSecret.reveal())"))
        all.append((name: "Accept", value: "application/json"))
        if body != nil { all.append((name: "Content-Type", value: "application/json")) }
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~")
        let id = access.orderID.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let answer: HTTPAnswer
        do {
            answer = try await send(HTTPQuestion(method: method, path: "/v1/orders/\(id)\(tail)", headers: all, body: body))
        } catch {
            throw ApplePayAppError(code: .serverUnanswered, reason: "no answer from the merchant's server")
        }
        guard !(200...299).contains(answer.status) else { return answer.body }
        throw Self.refusal(answer)
    }

    /// A client error decides; a server error, a conflict with a request under way, or "slow down" does not.
    private static func refusal(_ answer: HTTPAnswer) -> ApplePayAppError {
        let body = try? JSONDecoder().decode(ErrorBody.self, from: answer.body)
        let code = body?.error.code
        guard (400...499).contains(answer.status), ![408, 409, 425, 429].contains(answer.status) else {
            return ApplePayAppError(code: .serverUnanswered, reason: "the server answered \(answer.status)", serverCode: code)
        }
        return ApplePayAppError(
            code: .serverRefused, reason: body?.error.reason ?? "the server answered \(answer.status)", serverCode: code)
    }

    private struct ErrorBody: Decodable {
        struct Detail: Decodable {
            var code: String
            var reason: String?
        }
        var error: Detail
    }
}
