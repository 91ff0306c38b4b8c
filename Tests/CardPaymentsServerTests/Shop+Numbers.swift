import CardPaymentsServer
import HTTPTypes
import UnionPay

/// A shop whose orders are paid by UnionPay's own client.
extension Shop {
    /// What the acquirer answers each push with.
    static let number = "201603131105018491158"

    /// Opens one whose acquirer takes pushes, and knows of no payment until a test says so.
    static func openForNumbers(
        pending: CardPaymentsConfiguration.PendingPolicy = .acceptPending, sheetWait: Duration = .seconds(30),
        change: @Sendable @escaping (inout CardPaymentsConfiguration) -> Void = { _ in },
        _ body: @Sendable @escaping (Shop) async throws -> Void
    ) async throws {
        try await open(
            pending: pending, sheetWait: sheetWait,
            change: { configuration in
                configuration.endpoints.application = "https://127.0.0.1:8082/app"
                change(&configuration)
            }
        ) { shop in
            shop.acquirer.script { script in
                script.queryCodes = ["34"]
                script.changesReply = { type, reply in
                    if type == .consume, reply["respCode"] == "00" { reply["tn"] = number }
                }
            }
            try await body(shop)
        }
    }

    func askForNumber(_ order: PlacedOrder, key: String? = "n-1", _ body: String = "{}") async throws -> Answer {
        try await send(.post, "/v1/orders/\(order.id)/transaction-numbers", Array(body.utf8), bearer: order.secret, key: key)
    }

    /// What the app says when the client has come back.
    func tell(_ order: PlacedOrder, _ body: String = #"{"code":"success"}"#) async throws -> Answer {
        try await send(.post, "/v1/orders/\(order.id)/app-results", Array(body.utf8), bearer: order.secret)
    }
}
