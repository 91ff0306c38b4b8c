import Alipay
import AlipayApp
import Foundation
import PaymentCrypto

/// An Alipay SDK whose web cashier ends with one status.
@MainActor
final class Cashier: PaymentSurroundings {
    struct Knowing: OrderQuery {
        let state: OrderState

        func state(ofOrder number: String, reply: PaymentResult?) async throws -> OrderState { state }
    }

    private let result: PaymentResult
    let order = [
        #"partner="2088000000000001""#, #"out_trade_no="L-1""#, #"subject="Tea""#, #"total_fee="1.00""#,
        #"service="mobile.securitypay.pay""#,
        #"sign="a""#, #"sign_type="RSA""#,
    ].joined(separator: "&")
    private(set) var client: PaymentClient!

    init(_ status: String) {
        result = PaymentResult(status: .init(rawValue: status))
        client = PaymentClient(
            configuration: PaymentClientConfiguration(
                environment: PaymentEnvironment(cashier: URL(string: "https://wallet.example.test/cashier")!), now: { 1_700_000_000_000 },
                wait: { _ in await Task.yield() }), surroundings: self, store: VolatilePendingPaymentStore(),
            query: Knowing(state: status == "9000" ? .paid : .unpaid))
    }

    func canOpen(_ url: URL) -> Bool { false }
    func open(_ url: URL) async -> Bool { false }
    func showCashier(_ request: CashierRequest) async -> PaymentResult? { result }
}
