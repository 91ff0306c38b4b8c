import AlipayApp
import UIKit

/// What the shop sells, and news of orders that were open when the app started.
final class ShopViewController: UIViewController {
    private let shop: Shop
    private let newsList = UIStackView()
    private lazy var askButton = UIButton(type: .system, primaryAction: UIAction(title: "Ask again") { [weak self] _ in self?.ask() })

    init(shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = "Leaf Merchant"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        newsList.axis = .vertical
        let list = UIStackView(arrangedSubviews: Offer.all.map(button) + [newsList, askButton])
        list.axis = .vertical
        list.spacing = 16
        askButton.isHidden = true
        view.fill(with: list)
        shop.onNews = { [weak self] order, outcome in
            self?.show(order, outcome)
            (self?.navigationController?.topViewController as? CheckoutViewController)?.hear(order, outcome)
        }
    }

    private func button(for offer: Offer) -> UIButton {
        UIButton(
            type: .system,
            primaryAction: UIAction(title: "\(offer.name), \(offer.price)") { [weak self] _ in
                guard let self else { return }
                navigationController?.pushViewController(CheckoutViewController(shop: shop, offer: offer), animated: true)
            })
    }

    /// One line for each order, however often something is heard of it.
    private func show(_ order: Order, _ outcome: PaymentOutcome) {
        let line = newsList.arrangedSubviews.first { $0.accessibilityIdentifier == order.number } as? UILabel ?? addLine(order.number)
        line.text = "\(order.name): \(PaymentNotice(outcome).text(in: shop.language))"
        askButton.isHidden = shop.orders.orders.isEmpty
    }

    private func addLine(_ number: String) -> UILabel {
        let line = UILabel()
        line.numberOfLines = 0
        line.accessibilityIdentifier = number
        newsList.addArrangedSubview(line)
        return line
    }

    private func ask() {
        Task { await shop.recover() }
    }
}
