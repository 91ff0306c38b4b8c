package import ApplePayApp
import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// The shop in a process of its own, asked over HTTP.
package struct HTTPShopFront: ShopFront {
    private let connection: any MerchantConnection

    /// - Parameter connection: Leads to the shop's origin.
    package init(connection: any MerchantConnection) { self.connection = connection }

    package func createOrder(_ lines: [CartLine], reference: String) async throws -> OrderAccess {
        let body = try Data(JSONDocument.encode(ShopRoutes.Checkout(lines: lines, reference: reference)))
        let answer = try await connection.send(
            HTTPQuestion(method: "POST", path: "/shop/orders", headers: [(name: "Content-Type", value: "application/json")], body: body))
        guard answer.status == 201, let made = try? JSONDecoder().decode(ShopRoutes.CheckoutAnswer.self, from: answer.body) else {
            struct Refusal: Decodable {
                struct Detail: Decodable {
                    var code: String
                    var reason: String
                }
                var error: Detail
            }
            let refusal = try? JSONDecoder().decode(Refusal.self, from: answer.body)
            throw SandboxRefusal(
                code: refusal?.error.code ?? "shop-refused", reason: refusal?.error.reason ?? "the shop answered \(answer.status)")
        }
        return OrderAccess(orderID: made.order, clientSecret: Secret(made.clientSecret))
    }
}
