import UIKit

/// Who is the customer?
final class LogInViewController: UIViewController {
    private static let customers = [(id: "c-1", name: "Mei Lin"), (id: "c-2", name: "Ana Specimen")]

    private let bank: LeafBank
    private let noticeLabel = UILabel.text()

    init(bank: LeafBank) {
        self.bank = bank
        super.init(nibName: nil, bundle: nil)
        title = "Leaf Bank"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        let buttons = Self.customers.map { customer in
            UIButton(type: .system, primaryAction: UIAction(title: customer.name) { [weak self] _ in self?.logIn(customer.id) })
        }
        _ = Rows(in: view, buttons + [noticeLabel])
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        bank.onChange = { [weak self] in self?.draw() }
        draw()
    }

    private func draw() {
        noticeLabel.text = bank.notice
        noticeLabel.isHidden = bank.notice == nil
        guard bank.customer != nil, navigationController?.topViewController === self else { return }
        navigationController?.pushViewController(CardsViewController(bank: bank), animated: true)
    }

    private func logIn(_ customer: String) {
        Task { await bank.logIn(customer) }
    }
}
