import PassKit
import UIKit

/// A cinema's ticket office: a seat is priced again when the visitor takes another delivery, and a till that does not answer leaves the visitor with
/// a clear word.
final class TicketOfficeViewController: UIViewController, PKPaymentAuthorizationViewControllerDelegate {
    var film = "Spring in a Small Town"
    var seats = 2
    var sendToTill: ((_ token: Data, _ done: @escaping (Bool) -> Void) -> Void)?

    private let seatPrice = NSDecimalNumber(string: "45.00")
    private var delivery: PKShippingMethod?
    private lazy var deliveries: [PKShippingMethod] = {
        let counter = PKShippingMethod(label: "At the counter", amount: NSDecimalNumber.zero)
        counter.identifier = "counter"
        counter.detail = "Half an hour before the film"
        let post = PKShippingMethod(label: "By post", amount: NSDecimalNumber(string: "6.50"))
        post.identifier = "post"
        post.detail = "Two days"
        return [counter, post]
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        let networks: [PKPaymentNetwork] = [.chinaUnionPay, .visa, .masterCard]
        let canPay = PKPaymentAuthorizationViewController.canMakePayments(usingNetworks: networks, capabilities: [.threeDSecure, .emv])
        let button = PKPaymentButton(paymentButtonType: canPay ? .book : .setUp, paymentButtonStyle: .black)
        button.addAction(UIAction { [weak self] _ in canPay ? self?.buy(networks) : PKPassLibrary().openPaymentSetup() }, for: .touchUpInside)
        view.addSubview(button)
    }

    private func summary() -> [PKPaymentSummaryItem] {
        let seatsTotal = seatPrice.multiplying(by: NSDecimalNumber(value: seats))
        let sent = delivery?.amount ?? .zero
        return [
            PKPaymentSummaryItem(label: "\(seats) × \(film)", amount: seatsTotal),
            PKPaymentSummaryItem(label: delivery?.label ?? "Delivery", amount: sent, type: delivery == nil ? .pending : .final),
            PKPaymentSummaryItem(label: "Lantern Cinema", amount: seatsTotal.adding(sent)),
        ]
    }

    private func buy(_ networks: [PKPaymentNetwork]) {
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.lantern"
        request.countryCode = "CN"
        request.currencyCode = "CNY"
        request.supportedNetworks = networks
        request.merchantCapabilities = [.threeDSecure, .emv]
        request.requiredShippingContactFields = [.postalAddress, .name]
        request.shippingType = .delivery
        request.shippingMethods = deliveries
        delivery = deliveries.first
        request.paymentSummaryItems = summary()
        guard let sheet = PKPaymentAuthorizationViewController(paymentRequest: request) else {
            let alert = UIAlertController(title: "Apple Pay", message: "Please pay at the counter.", preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "OK", style: .default, handler: nil))
            present(alert, animated: true)
            return
        }
        sheet.delegate = self
        present(sheet, animated: true, completion: nil)
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        delivery = shippingMethod
        completion(PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: summary()))
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        guard let sendToTill else {
            completion(PKPaymentAuthorizationResult(status: .failure, errors: nil))
            return
        }
        sendToTill(payment.token.paymentData) { isPaid in
            completion(PKPaymentAuthorizationResult(status: isPaid ? .success : .failure, errors: nil))
        }
    }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) {
        controller.dismiss(animated: true, completion: nil)
    }
}
