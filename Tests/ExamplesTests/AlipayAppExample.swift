import Alipay
import AlipayApp
import Foundation
import Testing

struct AlipayAppExample {
    // Example
    /// Made once, when the app starts. `phone` is `UIKitSurroundings` on iOS, and `server` asks the shop's own server.
    @MainActor
    func makeClient(
        in environment: PaymentEnvironment, phone: any PaymentSurroundings, alipayKey: String, folder: URL, server: any OrderQuery
    ) throws -> PaymentClient {
        let configuration = PaymentClientConfiguration(
            environment: environment, modernResultKeys: AlipayVerificationKeys(rsa2: try AlipayKeyText.publicKey(alipayKey)),
            now: { Int64(Date().timeIntervalSince1970 * 1000) })
        let store = FilePendingPaymentStore(file: folder.appendingPathComponent("payments.json"))
        return PaymentClient(configuration: configuration, surroundings: phone, store: store, query: server)
    }

    /// What the Pay button does with the order string that the shop's server signed.
    @MainActor
    func pay(_ order: String, with client: PaymentClient) async throws -> String {
        switch try await client.pay(order: order, returnTo: ReturnAddress(scheme: "teashop")) {
        case .succeeded: return "receipt"
        case .undecided: return "being confirmed"
        case .cancelled, .failed: return "order"
        }
    }

    /// What the app does with each URL by which it is opened.
    @MainActor
    func opened(by url: URL, client: PaymentClient) { client.handle(url) }
    // End

    /// The shop's server, which knows of one payment.
    private struct Server: OrderQuery {
        func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState { number == "T1" ? .paid : .unpaid }
    }

    @MainActor @Test func example() async throws {
        let (shop, alipay) = (try AlipayParty(), try AlipayParty())
        let order = try await ModernOrder.signed(
            [
                ("app_id", "2026000000000001"), ("method", TradeAppPay.method), ("timestamp", "2026-01-02 03:04:05"), ("version", "1.0"),
                ("biz_content", #"{"out_trade_no":"T1","total_amount":"33.00","subject":"Tea"}"#),
            ], by: AlipayRSASigner.rsa2(AlipayKeyText.privateKey(shop.privateKey)))
        let result = try await PaymentResult.modern(
            ["code": "10000", "app_id": "2026000000000001", "out_trade_no": "T1", "total_amount": "33.00", "trade_no": "2026"],
            by: AlipayRSASigner.rsa2(AlipayKeyText.privateKey(alipay.privateKey)))
        let returned = try #require(URL(string: SafepayURL(scheme: "teashop", result: result).description))

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-example-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let phone = SimulatedSurroundings(installedSchemes: ["alipay"])
        let environment = try #require(PaymentEnvironments.standard["local"])
        let client = try makeClient(in: environment, phone: phone, alipayKey: alipay.publicKey, folder: folder, server: Server())
        phone.onOpen = { _ in opened(by: returned, client: client) }

        let page = try await pay(order.text, with: client)
        #expect(page == "receipt")
        #expect(phone.openedURLs.count == 1 && client.faults.isEmpty)
        #expect(client.pending.lastTradeNumber == "2026")
    }
}
