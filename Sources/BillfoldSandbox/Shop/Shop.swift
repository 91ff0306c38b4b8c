package import ApplePayApp
package import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldTrace
import Foundation

/// The merchant's shop front: it holds the API key and creates orders at the merchant's server.
package struct Shop: ShopFront {
    package let catalogue: Catalogue
    let merchant: any MerchantConnection
    private let apiKey: Secret<String>
    private let reporter: PartyReporter

    package init(catalogue: Catalogue = .teaHouse, merchant: any MerchantConnection, apiKey: Secret<String>, reporter: PartyReporter) {
        self.catalogue = catalogue
        self.merchant = merchant
        self.apiKey = apiKey
        self.reporter = reporter
    }

    /// Refuses an empty cart, unknown products, bad quantities and mixed currencies with stable codes. The reference is the
    /// idempotency key at the merchant's server: asking twice gives one order.
    package func createOrder(_ lines: [CartLine], reference: String) async throws -> OrderAccess {
        let correlation = [Correlation.reference: reference]
        reporter.report(
            .request, from: .phone, to: .shop, "checkout", correlation: correlation,
            fields: lines.map { .init($0.product, "\($0.quantity)", meaning: "the phone names goods, never prices") })
        do throws(SandboxRefusal) {
            let access = try await order(try NewOrderBody(lines, catalogue: catalogue, reference: reference), reference)
            reporter.report(
                .response, from: .shop, to: .phone, "checkout",
                correlation: correlation.merging([Correlation.order: access.orderID]) { first, _ in first },
                fields: [
                    .init("order", access.orderID),
                    .init("clientSecret", "‹secret›", meaning: "lets the app at this one order, and at nothing else"),
                ])
            return access
        } catch {
            reporter.report(.response, from: .shop, to: .phone, "checkout", correlation: correlation, problem: error.code)
            throw error
        }
    }

    private func order(_ body: NewOrderBody, _ reference: String) async throws(SandboxRefusal) -> OrderAccess {
        var correlation = [Correlation.reference: reference]
        let exchange = reporter.report(
            .request, from: .shop, to: .merchant, "create order", correlation: correlation,
            fields: [
                .init("reference", reference), .init("goods", body.goods), .init("currency", body.currency),
                .init("Authorization", "‹secret›", meaning: "the shop's API key, which the phone never sees"),
            ] + body.lines.map { .init($0.label, "\($0.quantity) × \($0.unitAmount)") })
        do {
            let created = try await created(body, for: reference, exchange: exchange)
            correlation[Correlation.order] = created.id
            reporter.report(
                .response, from: .merchant, to: .shop, "create order", correlation: correlation,
                fields: [.init("id", created.id), .init("total", "\(created.total) \(body.currency)"), .init("clientSecret", "‹secret›")])
            return OrderAccess(orderID: created.id, clientSecret: Secret(created.clientSecret))
        } catch {
            reporter.report(
                .response, from: .merchant, to: .shop, "create order", correlation: correlation, problem: "\(error.code): \(error.reason)")
            throw error
        }
    }

    private func created(_ body: NewOrderBody, for reference: String, exchange: String) async throws(SandboxRefusal) -> CreatedOrder {
        guard let json = try? Data(JSONDocument.encode(body)) else {
            throw SandboxRefusal(code: "order-unwritable", reason: "the order cannot be written", status: 500)
        }
        let headers = [
            (name: "Authorization", value: "Bearer \(apiKey.reveal())"), (name: "Idempotency-Key", value: reference),
            (name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json"),
        ]
        let answer: HTTPAnswer
        do {
            answer = try await Exchange.$reported.withValue(exchange) {
                try await merchant.send(HTTPQuestion(method: "POST", path: "/v1/orders", headers: headers, body: json))
            }
        } catch {
            throw SandboxRefusal(code: "merchant-unanswered", reason: "the merchant's server did not answer", status: 502)
        }
        guard answer.status == 201 || answer.status == 200 else {
            let refusal = try? JSONDecoder().decode(MerchantRefusal.self, from: answer.body)
            throw SandboxRefusal(
                code: refusal?.error.code ?? "merchant-refused",
                reason: refusal?.error.reason ?? "the merchant's server answered \(answer.status)", status: 502)
        }
        guard let created = try? JSONDecoder().decode(CreatedOrder.self, from: answer.body) else {
            throw SandboxRefusal(code: "merchant-answer-malformed", reason: "the merchant's answer cannot be read", status: 502)
        }
        return created
    }

    private struct CreatedOrder: Decodable {
        var id: String
        var clientSecret: String
        var total: String
    }

}

/// A refusal as the merchant's server writes it.
struct MerchantRefusal: Decodable {
    struct Detail: Decodable {
        var code: String
        var reason: String
    }
    var error: Detail
}
