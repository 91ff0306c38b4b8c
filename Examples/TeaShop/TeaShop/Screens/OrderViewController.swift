import ApplePayApp
import BillfoldMoney
import PassKit
import UIKit

/// An order with its lines, and the one button of Apple Pay that is right for this phone now.
final class OrderViewController: UIViewController {
    private let shop: TeaShop
    private let linesLabel = UILabel.text()
    private let totalLabel = UILabel.text(bold: true)
    private let buttonRow = UIStackView(arrangedSubviews: [])
    private let otherWaysLabel = UILabel.text()
    private let noticeLabel = UILabel.text()
    private var monitor: AvailabilityMonitor?
    private var returning: (any NSObjectProtocol)?

    init(shop: TeaShop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = "Your order"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        otherWaysLabel.text = "Pay when it is delivered, or in the shop."
        _ = Rows(in: view, [linesLabel, totalLabel, buttonRow, otherWaysLabel, noticeLabel])
        guard let order = shop.order else { return }
        linesLabel.text = order.items.map { "\($0.label)  \($0.amount.text)" }.joined(separator: "\n")
        totalLabel.text = "\(order.merchantName)  \(order.total.text) \(order.currency.alphabeticCode)"
        monitor = Self.monitor(for: order, on: shop.settings.system)
        monitor?.onChange = { [weak self] _ in self?.draw() }
    }

    /// Watches whether this phone can pay the order. Nil where the order names something that this version of the app does not know.
    private static func monitor(for order: CheckoutOrder, on system: SystemVersion) -> AvailabilityMonitor? {
        guard let names = try? order.supportedNetworks.map({ try NetworkName(exactly: $0) }),
            let capabilities = try? MerchantCapabilities.capabilities(named: order.merchantCapabilities, for: names)
        else { return nil }
        return AvailabilityMonitor(networks: names.map(\.network), capabilities: capabilities, system: system)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        shop.onChange = { [weak self] in self?.draw() }
        // Cards come and go while the customer is in Wallet. UIKit posts this on the main thread.
        returning = NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.monitor?.refresh() }
        }
        monitor?.refresh()
        draw()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if let returning { NotificationCenter.default.removeObserver(returning) }
        returning = nil
    }

    private func draw() {
        // Paid, perhaps while the customer was elsewhere: the shop says so.
        guard shop.order != nil else {
            navigationController?.popToRootViewController(animated: true)
            return
        }
        let availability = monitor?.availability ?? .hidden
        for old in buttonRow.arrangedSubviews {
            buttonRow.removeArrangedSubview(old)
            old.removeFromSuperview()
        }
        if let type = availability.buttonType(), !shop.isConfirming { buttonRow.addArrangedSubview(button(type)) }
        otherWaysLabel.isHidden = availability == .pay
        noticeLabel.text = shop.notice
        noticeLabel.isHidden = shop.notice == nil
    }

    private func button(_ type: PKPaymentButtonType) -> PKPaymentButton {
        let button = PKPaymentButton(paymentButtonType: type, paymentButtonStyle: .black)
        let action = UIAction { [weak self] _ in
            if type == .setUp { self?.monitor?.openSetUp() } else { self?.pay() }
        }
        button.addAction(action, for: .touchUpInside)
        return button
    }

    private func pay() {
        Task {
            await shop.pay { [weak self] sheet in self?.present(sheet, animated: true) }
        }
    }
}
