import UIKit

/// The goods, the cart, and what became of the last payment.
final class ShopViewController: UIViewController {
    private let shop: TeaShop
    private let cartLabel = UILabel.text(bold: true)
    private let noticeLabel = UILabel.text()
    private let checkOutButton = UIButton(type: .system)
    private let askButton = UIButton(type: .system)

    init(shop: TeaShop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
        title = "Two Leaves Tea House"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        let goods = Product.allCases.map { product in
            UIButton(type: .system, primaryAction: UIAction(title: product.name) { [weak self] _ in self?.shop.add(product) })
        }
        checkOutButton.setTitle("Check out", for: .normal)
        checkOutButton.addAction(UIAction { [weak self] _ in self?.checkOut() }, for: .touchUpInside)
        askButton.setTitle("Ask again", for: .normal)
        askButton.addAction(UIAction { [weak self] _ in self?.askAgain() }, for: .touchUpInside)
        _ = Rows(in: view, goods + [cartLabel, checkOutButton, noticeLabel, askButton])
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        shop.onChange = { [weak self] in self?.draw() }
        draw()
    }

    private func draw() {
        let lines = shop.cart.lines.map { "\($0.quantity) × \($0.product.name)" }
        cartLabel.text = lines.isEmpty ? "Your cart is empty." : lines.joined(separator: "\n")
        checkOutButton.isHidden = shop.cart.isEmpty || shop.isConfirming
        noticeLabel.text = shop.notice
        noticeLabel.isHidden = shop.notice == nil
        askButton.isHidden = !shop.isConfirming
    }

    private func checkOut() {
        checkOutButton.isEnabled = false
        Task {
            let isOrdered = await shop.checkOut()
            checkOutButton.isEnabled = true
            if isOrdered { navigationController?.pushViewController(OrderViewController(shop: shop), animated: true) }
        }
    }

    private func askAgain() {
        Task { await shop.comeBack() }
    }
}
