import Foundation
import PassKitSimulator
import Testing

struct PassKitSimulatorExample {
    // Example
    /// The shop's code, as it is on a phone.
    final class TeaShop: NSObject, PKPaymentAuthorizationControllerDelegate {
        var sent: Data?

        func request() -> PKPaymentRequest {
            let request = PKPaymentRequest()
            request.merchantIdentifier = "merchant.example.tea"
            request.countryCode = "CN"
            request.currencyCode = "CNY"
            request.supportedNetworks = [.visa]
            request.merchantCapabilities = .threeDSecure
            request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Tea House", amount: 33)]
            return request
        }

        func paymentAuthorizationController(
            _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
            handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
        ) {
            sent = payment.token.paymentData
            completion(PKPaymentAuthorizationResult(status: .success, errors: nil))
        }

        func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) { controller.dismiss() }
    }

    /// A customer with one card opens the sheet and authorises. Returns what the shop sent to its server.
    @MainActor
    func sell(wallet: any PaymentTokenSource) async -> Data? {
        let card = WalletCard(id: "visa", issuer: "Example Bank", suffix: "4242", network: .visa, type: .credit)
        let phone = SimulatedDevice(.init(cards: [card]), tokenSource: wallet)
        return await SimulatedDevice.$current.withValue(phone) {
            guard PKPaymentAuthorizationController.canMakePayments() else { return nil }
            let shop = TeaShop()
            let controller = PKPaymentAuthorizationController(paymentRequest: shop.request())
            controller.delegate = shop
            guard await controller.present(), let sheet = controller.sheet else { return nil }
            sheet.perform(.authorize)
            await sheet.settle()  // `sheet.states()` has every state, for a screen that draws it
            return sheet.state.phase == .succeeded ? shop.sent : nil
        }
    }
    // End

    /// Puts what was authorised where a wallet seals it.
    private struct Wallet: PaymentTokenSource {
        func token(for payment: AuthorizedPayment) async throws -> IssuedToken {
            IssuedToken(paymentData: Data("\(payment.amount) \(payment.currencyCode)".utf8), transactionIdentifier: "5c3a")
        }
    }

    @MainActor @Test func example() async {
        let sent = await sell(wallet: Wallet())
        #expect(sent == Data("33 CNY".utf8))
    }
}
