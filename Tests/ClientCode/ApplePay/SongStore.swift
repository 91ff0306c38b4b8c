import PassKit

/// Electronic goods: an e-mail address and nothing else. No screen of its own, so it uses the controller, and async methods.
final class SongStore: NSObject, PKPaymentAuthorizationControllerDelegate {
    enum Outcome: Equatable {
        case bought(String)
        case notBought
    }

    typealias Charge = @Sendable (Data) async -> Bool

    private let charge: Charge
    private var outcome = Outcome.notBought
    private(set) var controller: PKPaymentAuthorizationController?
    private var whenOver: ((Outcome) -> Void)?

    init(charge: @escaping Charge) { self.charge = charge }

    func buy(_ song: String, price: String, whenOver: @escaping (Outcome) -> Void) {
        self.whenOver = whenOver
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.songs"
        request.countryCode = "CN"
        request.currencyCode = "CNY"
        request.supportedNetworks = [.chinaUnionPay]
        request.merchantCapabilities = [.capability3DS, .capabilityEMV]
        request.requiredShippingAddressFields = .email
        request.paymentSummaryItems = [
            PKPaymentSummaryItem(label: song, amount: NSDecimalNumber(string: price)),
            PKPaymentSummaryItem(label: "Song Store", amount: NSDecimalNumber(string: price)),
        ]
        let controller = PKPaymentAuthorizationController(paymentRequest: request)
        controller.delegate = self
        self.controller = controller
        controller.present { isShown in
            if !isShown { whenOver(.notBought) }
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment
    ) async -> PKPaymentAuthorizationResult {
        let mail = payment.shippingContact?.emailAddress ?? ""
        let isCharged = await charge(payment.token.paymentData)
        if isCharged { outcome = .bought(mail) }
        return PKPaymentAuthorizationResult(status: isCharged ? .success : .failure, errors: nil)
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        controller.dismiss {
            self.whenOver?(self.outcome)
            self.whenOver = nil
        }
    }
}
