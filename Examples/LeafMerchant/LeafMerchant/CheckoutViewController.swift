import AlipayApp
import UIKit

/// One order, from the tap on Pay to its end.
final class CheckoutViewController: UIViewController {
    private let shop: Shop
    private let offer: Offer
    private var order: Order?
    private let state = UILabel()
    private lazy var payButton = UIButton(type: .system, primaryAction: UIAction(title: payTitle) { [weak self] _ in self?.pay() })
    private lazy var askButton = UIButton(type: .system, primaryAction: UIAction(title: "Ask again") { [weak self] _ in self?.ask() })

    init(shop: Shop, offer: Offer) {
        self.shop = shop
        self.offer = offer
        super.init(nibName: nil, bundle: nil)
        title = offer.name
    }

    required init?(coder: NSCoder) { nil }

    private var payTitle: String { offer.way == .express ? "Pay with Alipay" : "Pay with Alipay+" }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let total = UILabel()
        total.text = "\(offer.name), \(offer.price)"
        state.numberOfLines = 0
        askButton.isHidden = true
        let list = UIStackView(arrangedSubviews: [total, state, payButton, askButton])
        list.axis = .vertical
        list.spacing = 16
        view.fill(with: list)
        if offer.way == .sheet { askForTheRow() }
    }

    /// Alipay+ is offered where it is published for the currency; otherwise its reason is written for the customer.
    private func askForTheRow() {
        payButton.isEnabled = false
        Task {
            let row = await shop.sheet.row(in: offer.currency)
            state.text = row.text
            payButton.isEnabled = row.isEnabled
        }
    }

    private func pay() {
        wait(for: "One moment")
        Task {
            do {
                let order = if let order { order } else { try await shop.place(offer) }
                self.order = order
                show(try await shop.pay(order))
            } catch {
                // There is no order, or its payment was not begun: nothing was sent.
                payButton.isEnabled = true
                state.text = PaymentNotice.notBegun.text(in: shop.language)
            }
        }
    }

    /// Late news, such as of a payment that arrives after it was given up.
    func hear(_ order: Order, _ outcome: PaymentOutcome) {
        if order.number == self.order?.number { show(outcome) }
    }

    private func ask() {
        guard let order else { return }
        wait(for: "Asking")
        Task { show(await shop.ask(order)) }
    }

    private func wait(for text: String) {
        state.text = text
        payButton.isEnabled = false
        askButton.isHidden = true
    }

    private func show(_ outcome: PaymentOutcome) {
        state.text = PaymentNotice(outcome).text(in: shop.language)
        askButton.isHidden = outcome != .undecided
        switch outcome {
        case .succeeded: payButton.isHidden = true
        // Paid for twice, perhaps: an order whose end is not known is not paid again here.
        case .undecided: payButton.isEnabled = false
        case .cancelled: payButton.isEnabled = true
        // What failed is over: the next tap makes a new order.
        case .failed:
            order = nil
            payButton.isEnabled = true
        }
    }
}
