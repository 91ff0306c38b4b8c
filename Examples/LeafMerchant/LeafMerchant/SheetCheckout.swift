import Alipay
import AlipayApp
import AlipayPlusApp
import AlipayPlusValues
import Foundation

/// Has orders paid in the wallet that the customer chooses on Alipay+'s payment sheet.
///
/// The sheet leads into a wallet and says nothing about money. Whether it is paid, the shop's server is asked, whenever the customer is
/// back.
@MainActor
final class SheetCheckout {
    private let client: AlipayPlusClient
    private let server: ShopServer
    /// How often the app came to the front, or was led back by a link.
    private var returns = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(settings: Settings, language: CustomerLanguage, server: ShopServer, phone: Phone) {
        self.server = server
        client = AlipayPlusClient.shared
        client.hosts[.sandbox] = settings.gateway
        if let sheet = phone.sheet { client.surroundings = sheet }
        if let options = phone.options { client.transport = options }
        let configuration = IAPConfiguration()
        configuration.merchantId = settings.merchantID
        configuration.acquirerId = settings.acquirerID
        configuration.language = AlipayPlusLanguage(language).rawValue
        configuration.envType = kIAPEnvSANDBOX
        client.setConfiguration(configuration)
    }

    /// How the row of Alipay+ reads, and whether it can be chosen.
    func row(in currency: String) async -> (text: String, isEnabled: Bool) {
        let parameters = IAPInquirePaymentOptionParams()
        parameters.paymentCurrency = currency
        do {
            let option = try await client.inquirePaymentOption(parameters)
            let words = [option.brandName ?? "Alipay+", option.enabled ? option.promoNames?.first : option.disableReason]
            return (words.compactMap(\.self).joined(separator: " · "), option.enabled)
        } catch {
            return ("Alipay+ cannot be reached at the moment.", false)
        }
    }

    func place(_ offer: Offer) async throws -> Order {
        Order(number: try await server.placeSheetOrder(offer.id).number, name: offer.name, price: offer.price, way: .sheet)
    }

    func pay(_ order: Order) async -> PaymentOutcome {
        // Without an answer nobody here knows what was begun.
        guard let data = try? await server.beginSheetPayment(of: order.number).payments.last?.paymentData else { return await ask(order) }
        let before = returns
        switch await client.showPaymentSheet(data) {
        case .left:
            await comingBack(after: before)
            return await ask(order)
        case .alipay: return await ask(order)
        // Nobody is to pay on a page that was left open elsewhere: the payment ends at the server, whose word it is.
        case .cancelled, .failed: return await giveUp(order)
        }
    }

    /// Asks until the server knows, a few times. What nobody knows yet is never called failed.
    func ask(_ order: Order) async -> PaymentOutcome {
        for pause in Shop.questionPauses {
            try? await Task.sleep(for: pause)
            let outcome = outcome(try? await server.sheetState(of: order.number), of: order)
            if outcome != .undecided { return outcome }
        }
        return .undecided
    }

    private func giveUp(_ order: Order) async -> PaymentOutcome {
        let outcome = outcome(try? await server.cancelSheetPayment(of: order.number), of: order)
        return outcome == .undecided ? await ask(order) : outcome
    }

    private func outcome(_ state: ShopServer.State?, of order: Order) -> PaymentOutcome {
        switch state?.state {
        case "paid": .succeeded(ConfirmedPayment(orderNumber: order.number, resultIsVerified: false))
        case "failed": .failed(.failed)
        case "cancelled": .cancelled
        default: .undecided
        }
    }

    // MARK: Coming back

    /// The app is in front again. That says nothing of the payment: a wallet's way back may be lost.
    func cameToFront() {
        returns += 1
        for each in waiting { each.resume() }
        waiting = []
    }

    private func comingBack(after count: Int) async {
        guard returns == count else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
