import PassKit
import UIKit

protocol TripCoordinatorDelegate: AnyObject {
    func tripCoordinator(_ coordinator: TripCoordinator, didFinishWith result: Result<String, TripCoordinator.Failure>)
}

/// A coordinator that owns the sheet of one booking.
@MainActor
final class TripCoordinator: NSObject {
    enum Failure: Error, Equatable {
        case unavailable
        case cancelled
        case declined
    }

    weak var delegate: TripCoordinatorDelegate?
    private weak var presenter: UIViewController?
    private var result: Result<String, Failure> = .failure(.cancelled)
    private var passengers = 1

    init(presenter: UIViewController) {
        self.presenter = presenter
        super.init()
    }

    private func items(seat: PKShippingMethod?) -> [PKPaymentSummaryItem] {
        let ticket = PKPaymentSummaryItem(label: "Ticket", amount: NSDecimalNumber(mantissa: 4200, exponent: -2, isNegative: false))
        let extra = PKPaymentSummaryItem(label: "Seat", amount: seat?.amount ?? 0)
        let total = PKPaymentSummaryItem(label: "Night Train", amount: ticket.amount.adding(extra.amount))
        return [ticket, extra, total]
    }

    func start() {
        let window = PKShippingMethod(label: "Window", amount: 5)
        window.identifier = "window"
        let aisle = PKShippingMethod(label: "Aisle", amount: 0)
        aisle.identifier = "aisle"

        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.train"
        request.countryCode = "DE"
        request.currencyCode = "EUR"
        request.supportedNetworks = [.visa, .masterCard, .girocard, .maestro, .vPay]
        request.merchantCapabilities = [.threeDSecure, .debit, .credit]
        request.shippingMethods = [aisle, window]
        request.shippingType = .servicePickup
        request.requiredShippingContactFields = [.emailAddress, .phoneticName, .name]
        request.paymentSummaryItems = items(seat: aisle)

        guard let sheet = PKPaymentAuthorizationViewController(paymentRequest: request) else {
            delegate?.tripCoordinator(self, didFinishWith: .failure(.unavailable))
            return
        }
        sheet.delegate = self
        presenter?.present(sheet, animated: true)
    }
}

extension TripCoordinator: PKPaymentAuthorizationViewControllerDelegate {
    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod
    ) async -> PKPaymentRequestShippingMethodUpdate {
        await Task.yield()
        return PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: items(seat: shippingMethod))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment
    ) async -> PKPaymentAuthorizationResult {
        guard let name = payment.shippingContact?.name else {
            result = .failure(.declined)
            return .init(status: .failure, errors: [PKPaymentError(.shippingContactInvalidError)])
        }
        result = .success([name.givenName, name.familyName].compactMap { $0 }.joined(separator: " "))
        return PKPaymentAuthorizationResult(status: .success, errors: nil)
    }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) {
        controller.presentingViewController?.dismiss(animated: true) { [self] in
            delegate?.tripCoordinator(self, didFinishWith: result)
        }
    }
}
