import PassKit
import UIKit

/// A cart with goods that are delivered: the flow as it was published for iOS 8 to 10, with blocks that are called `completion`.
class CartViewController: UIViewController {
    let service: OrderService
    let orderNumber: String
    let statusLabel = UILabel()
    var payButton: PKPaymentButton!
    var setUpButton: PKPaymentButton!

    private let networks: [PKPaymentNetwork] = [.chinaUnionPay, .visa, .masterCard]
    private var goods = NSDecimalNumber(string: "120.00")
    private var shipping: PKShippingMethod!
    private var discount = NSDecimalNumber(string: "-12.66")

    init(service: OrderService, orderNumber: String) {
        self.service = service
        self.orderNumber = orderNumber
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Cart"

        payButton = PKPaymentButton(type: .buy, style: .black)
        payButton.addTarget(self, action: #selector(pay), for: .touchUpInside)
        view.addSubview(payButton)

        setUpButton = PKPaymentButton(type: .setUp, style: .whiteOutline)
        setUpButton.addTarget(self, action: #selector(setUp), for: .touchUpInside)
        view.addSubview(setUpButton)

        view.addSubview(statusLabel)
        showButtons()
    }

    func showButtons() {
        guard PKPaymentAuthorizationViewController.canMakePayments() else {
            payButton.isHidden = true
            setUpButton.isHidden = true
            return
        }
        let hasCard = PKPaymentAuthorizationViewController.canMakePayments(usingNetworks: networks)
        payButton.isHidden = !hasCard
        setUpButton.isHidden = hasCard
    }

    @objc func setUp() {
        PKPassLibrary().openPaymentSetup()
    }

    // MARK: - The request

    private func shippingMethods() -> [PKShippingMethod] {
        let free = PKShippingMethod()
        free.label = "Post"
        free.amount = NSDecimalNumber.zero
        free.identifier = "post"
        free.detail = "6 to 8 days"

        let express = PKShippingMethod()
        express.label = "Express"
        express.amount = NSDecimalNumber(string: "10.00")
        express.identifier = "express"
        express.detail = "2 to 3 days"
        return [free, express]
    }

    private func summaryItems() -> [PKPaymentSummaryItem] {
        let items = [
            PKPaymentSummaryItem(label: "Goods", amount: goods),
            PKPaymentSummaryItem(label: "Discount", amount: discount),
            shipping as PKPaymentSummaryItem,
        ]
        let total = items.reduce(NSDecimalNumber.zero) { $0.adding($1.amount) }
        return items + [PKPaymentSummaryItem(label: "Bamboo & Co", amount: total, type: .final)]
    }

    func makeRequest() -> PKPaymentRequest {
        let methods = shippingMethods()
        shipping = methods[0]

        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.example.bamboo"
        request.countryCode = "CN"
        request.currencyCode = "CNY"
        request.supportedNetworks = networks
        request.merchantCapabilities = [.capabilityCredit, .capabilityDebit, .capability3DS, .capabilityEMV]
        request.requiredShippingAddressFields = [.postalAddress, .phone, .name]
        request.requiredBillingAddressFields = .email
        request.shippingMethods = methods
        request.shippingType = .delivery
        request.applicationData = orderNumber.data(using: .utf8)
        request.paymentSummaryItems = summaryItems()
        return request
    }

    @objc func pay() {
        guard let controller = PKPaymentAuthorizationViewController(paymentRequest: makeRequest()) else {
            statusLabel.text = "Apple Pay is not available"
            return
        }
        controller.delegate = self
        present(controller, animated: true, completion: nil)
    }
}

extension CartViewController: PKPaymentAuthorizationViewControllerDelegate {
    func paymentAuthorizationViewControllerWillAuthorizePayment(_ controller: PKPaymentAuthorizationViewController) {
        statusLabel.text = "Confirming"
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
        completion: @escaping ([PKPaymentSummaryItem]) -> Void
    ) {
        // A card of our own app is none of the shop's business, and a discount is for one scheme.
        assert(paymentMethod.paymentPass == nil && paymentMethod.displayName == nil)
        discount = paymentMethod.network == .chinaUnionPay ? NSDecimalNumber(string: "-12.66") : NSDecimalNumber.zero
        completion(summaryItems())
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
        completion: @escaping (PKPaymentAuthorizationStatus, [PKShippingMethod], [PKPaymentSummaryItem]) -> Void
    ) {
        guard contact.postalAddress?.isoCountryCode == "CN" else {
            completion(.invalidShippingPostalAddress, shippingMethods(), summaryItems())
            return
        }
        completion(.success, shippingMethods(), summaryItems())
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
        completion: @escaping (PKPaymentAuthorizationStatus, [PKPaymentSummaryItem]) -> Void
    ) {
        shipping = shippingMethod
        completion(.success, summaryItems())
    }

    func paymentAuthorizationViewController(
        _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
        completion: @escaping @Sendable (PKPaymentAuthorizationStatus) -> Void
    ) {
        PendingOrders.shared.begin(orderNumber)
        let number = orderNumber
        service.charge(order: number, token: payment.token.paymentData) { result in
            switch result {
            case .charged?:
                PendingOrders.shared.end(number)
                completion(.success)
            case .declined?:
                PendingOrders.shared.end(number)
                completion(.failure)
            case .wrongAddress?:
                PendingOrders.shared.end(number)
                completion(.invalidShippingContact)
            case nil:
                // Nobody knows: the sheet gives up, and the order's page asks later.
                break
            }
            DispatchQueue.main.async { self.statusLabel.text = result == .charged ? "Thank you" : "Not paid" }
        }
    }

    func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) {
        controller.dismiss(animated: true) {
            if PendingOrders.shared.open.contains(self.orderNumber) { self.statusLabel.text = "Being confirmed" }
        }
    }
}
