import AsyncHTTPClient
import BillfoldJSON
import Foundation
import NIOCore
import NIOHTTP1

/// An order of a merchant's own that a customer pays by its number, on UnionPay's page, as its app or its web page would have it.
struct NumberPayment {
    let place: TriggerPlace

    /// Makes the order and has it paid, as far as the acquirer's plan lets that come.
    ///
    /// - Parameter plan: What the acquirer does with this order alone.
    /// - Returns: The order's id.
    func pay(plan: String) async throws -> String {
        let (server, name) = (try place.addresses.origin(of: .cardPayments), "trigger-\(SystemRandomness.name().prefix(16))")
        let line = JSONObject([.init("label", "Field guide"), .init("unitAmount", "33.00"), .init("quantity", .number("1"))])
        let order = try await LocalClient.send(
            .POST, server + "/v1/orders", key: place.apiKey, headers: ["Idempotency-Key": name],
            object: JSONObject([
                .init("reference", .string(name)), .init("goods", "electronic"), .init("currency", "CNY"), .init("country", "CN"),
                .init("merchantName", "Trigger"), .init("lines", .array([.object(line)])),
            ]))
        guard let id = order["id"]?.string, let secret = order["clientSecret"]?.string else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the order has no id or no client secret")
        }
        try await place.plan(plan, for: id)
        // Where the plan has the number lost or refused, nobody can pay, and the payment's state says so.
        let answer = try await LocalClient.send(
            .POST, server + "/v1/orders/\(id)/transaction-numbers", key: secret, headers: ["Idempotency-Key": name],
            body: JSONWriter.write(JSONObject()))
        if let number = (try? answer.object())?["tn"]?.string { try await payOnPage(number) }
        return id
    }

    /// The page leads back to an app that is not there, so nothing follows it.
    private func payOnPage(_ number: String) async throws {
        var request = HTTPClientRequest(url: try place.addresses.origin(of: .unionPay) + "/unionpay/pay/\(number)/pay")
        request.method = .POST
        request.headers = ["Content-Type": "application/x-www-form-urlencoded"]
        request.body = .bytes(ByteBuffer(string: "scheme=trigger"))
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
        let paying = request
        let status = await Result { try await client.execute(paying, timeout: .seconds(30)).status }
        try? await client.shutdown()
        guard try status.get() == .seeOther else {
            throw CommandFailure(.refused, code: "not-begun", reason: "UnionPay's page does not take the payment")
        }
    }
}
