import Alipay
import AlipayApp
import Foundation

/// Pays orders in the Alipay app, or in its web cashier where the app is not installed.
///
/// The client keeps what was begun, checks what comes back, and asks the shop's server: nothing here decides that something is paid.
@MainActor
final class ExpressCheckout {
    private let client: PaymentClient
    private let server: ShopServer
    private let scheme: String
    /// The signed orders of this run, by their numbers: what was cancelled may be paid again.
    private var texts: [String: String] = [:]

    init(settings: Settings, server: ShopServer, phone: Phone) {
        self.server = server
        scheme = settings.scheme
        let key = settings.alipayKey.flatMap { try? AlipayKeyText.publicKey($0) }
        var configuration = PaymentClientConfiguration(
            environment: PaymentEnvironment(cashier: settings.gateway.appendingPathComponent("cashier")),
            modernResultKeys: AlipayVerificationKeys(rsa2: key), now: { Int64(Date().timeIntervalSince1970 * 1000) })
        configuration.questionPauses = Shop.questionPauses
        client = PaymentClient(
            configuration: configuration, surroundings: phone.express,
            store: FilePendingPaymentStore(file: phone.folder.appendingPathComponent("payments.json")),
            query: ExpressOrderQuestion(server: server))
    }

    /// Told of what nobody waits for any more, such as a payment that arrives after it was given up.
    func onLateNews(_ tell: @escaping @MainActor (News) -> Void) {
        client.standby = { tell(News(number: $0.orderNumber, outcome: $0.outcome)) }
    }

    func place(_ offer: Offer) async throws -> Order {
        let placed = try await server.placeExpressOrder(offer.id)
        texts[placed.number] = placed.order
        return Order(number: placed.number, name: offer.name, price: offer.price, way: .express)
    }

    /// Throws an `AlipayAppError` where nothing was begun.
    func pay(_ order: Order) async throws -> PaymentOutcome {
        try await client.pay(order: texts[order.number] ?? "", returnTo: ReturnAddress(scheme: scheme))
    }

    func hasBegun(_ order: Order) -> Bool { client.pending.payment(ofOrder: order.number) != nil }

    /// False for a link that is not Alipay's.
    func opened(by url: URL) -> Bool { client.handle(url) }

    func cameToFront() { client.appBecameActive() }

    /// Asks what became of every payment that the app does not know the end of.
    func recover() async -> [News] {
        await client.recover().map { News(number: $0.orderNumber, outcome: $0.outcome) }
    }
}

/// Asks the shop's server what became of an order.
private struct ExpressOrderQuestion: OrderQuery {
    let server: ShopServer

    func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState {
        var result: [String: String] = [:]
        if let reply { result = ["resultStatus": reply.status.rawValue, "result": reply.result, "memo": reply.memo] }
        switch try await server.expressState(of: number, result: result).state {
        case "paid", "refunded": return .paid
        case "closed": return .closed
        default: return .unpaid
        }
    }
}
