import ApplePayApp
import BillfoldDiagnosis
import Foundation

/// The shop's servers over HTTP.
struct ShopServer: Sendable {
    /// What the shop says to an order that it does not make.
    struct Refusal: Error, Decodable {
        struct Detail: Decodable {
            var code: String
            var reason: String
        }
        var error: Detail
    }

    private struct NewOrder: Encodable {
        struct Line: Encodable {
            var product: String
            var quantity: Int
        }
        var lines: [Line]
        var reference: String
    }

    private struct MadeOrder: Decodable {
        var order: String
        var clientSecret: String
    }

    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// Takes payments. The order's client secret goes with each request.
    var merchant: HTTPMerchantServer {
        let base = settings.merchant
        return HTTPMerchantServer { try await Self.send($0, to: base) }
    }

    /// Has an order made of the cart. Asking again for the same cart gives the same order.
    func order(for cart: Cart) async throws -> OrderAccess {
        let body = NewOrder(
            lines: cart.lines.map { NewOrder.Line(product: $0.product.rawValue, quantity: $0.quantity) }, reference: cart.reference)
        let question = HTTPQuestion(
            method: "POST", path: "/shop/orders", headers: [(name: "Content-Type", value: "application/json")],
            body: try JSONEncoder().encode(body))
        let answer = try await Self.send(question, to: settings.shop)
        guard answer.status == 201 else { throw try JSONDecoder().decode(Refusal.self, from: answer.body) }
        let made = try JSONDecoder().decode(MadeOrder.self, from: answer.body)
        return OrderAccess(orderID: made.order, clientSecret: Secret(made.clientSecret))
    }

    /// Throws where no answer came; whoever asked must not take that for a no.
    private static func send(_ question: HTTPQuestion, to base: URL) async throws -> HTTPAnswer {
        guard let url = URL(string: question.path, relativeTo: base) else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 20)
        request.httpMethod = question.method
        request.httpBody = question.body
        for (name, value) in question.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode else { throw URLError(.badServerResponse) }
        return HTTPAnswer(status: status, body: body)
    }
}
