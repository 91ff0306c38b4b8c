// Written as a shop's app for a phone is written, after the documented integration: configure, inquire, show the sheet, ask the shop's
// server. The page of AlipayPlusApp shows the same calls.
import AlipayPlusApp
import Foundation

/// The shop's own back end: it asks its acquirer, and it alone knows what is paid.
protocol ShopBackend: Sendable {
    /// Asks the acquirer to pay; the answer's `paymentData`.
    func paymentData(forOrder order: String) async throws -> String
    /// Nil: not known yet.
    func isPaid(order: String) async throws -> Bool?
}

/// What the shop's checkout shows.
enum ShopScreen: Equatable {
    case methods(row: String?, promotion: String?)
    case paying, paid, beingConfirmed, notPaid
    case failed(String)
}

@MainActor
final class ShopCheckout {
    private(set) var screen = ShopScreen.methods(row: nil, promotion: nil)
    private let backend: any ShopBackend

    init(backend: any ShopBackend) { self.backend = backend }

    // MARK: When the app starts

    func start() {
        let configuration = IAPConfiguration()
        configuration.merchantId = "M-1"
        configuration.acquirerId = "A1112TEST0000000"
        configuration.envType = kIAPEnvSANDBOX
        configuration.language = "fil_PH"
        AlipayPlusClient.shared.setConfiguration(configuration)
    }

    // MARK: The list of methods

    func showMethods() async {
        let params = IAPInquirePaymentOptionParams()
        params.paymentCurrency = "PHP"
        guard let option = try? await AlipayPlusClient.shared.inquirePaymentOption(params) else { return }
        screen = .methods(row: option.enabled ? option.brandName : option.disableReason, promotion: option.promoNames?.first)
    }

    // MARK: The button

    func pay(_ order: String) async {
        guard let paymentData = try? await backend.paymentData(forOrder: order) else {
            screen = .failed("the shop did not answer")
            return
        }
        screen = .paying
        switch await AlipayPlusClient.shared.showPaymentSheet(paymentData) {
        case .left, .alipay: await ask(order)
        case .cancelled: screen = .notPaid
        case .failed(let error): screen = .failed("\(error)")
        }
    }

    /// When the person is back. Coming back proves nothing.
    func ask(_ order: String) async {
        switch try? await backend.isPaid(order: order) {
        case true?: screen = .paid
        case false?: screen = .notPaid
        case nil: screen = .beingConfirmed
        }
    }
}
