import UIKit

class CartViewController: UIViewController {
    static let didChange = Notification.Name("CartDidChange")

    let payButton = UIButton(type: .system)
    let totalLabel = UILabel()
    private(set) var appearances: [String] = []
    private(set) var returns = 0
    private(set) var changes: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Cart"
        view.backgroundColor = UIColor(red: 0.95, green: 0.95, blue: 0.95, alpha: 1.0)

        totalLabel.text = "Total ¥33.00"
        totalLabel.textColor = .label
        totalLabel.numberOfLines = 0
        view.addSubview(totalLabel)

        payButton.setTitle("Pay", for: .normal)
        payButton.setTitleColor(.white, for: .normal)
        payButton.tag = 7
        payButton.translatesAutoresizingMaskIntoConstraints = false
        payButton.addTarget(self, action: #selector(payTapped(_:)), for: .touchUpInside)
        view.addSubview(payButton)
        NSLayoutConstraint.activate([
            payButton.centerXAnchor.constraint(equalTo: view.centerXAnchor),
            payButton.bottomAnchor.constraint(equalTo: view.safeAreaLayoutGuide.bottomAnchor, constant: -20),
            payButton.heightAnchor.constraint(equalToConstant: 48),
        ])

        NotificationCenter.default.addObserver(
            self, selector: #selector(applicationCameBack), name: UIApplication.willEnterForegroundNotification, object: nil)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        appearances.append("will appear")
        payButton.isHidden = false
        NotificationCenter.default.addObserver(
            self, selector: #selector(cartChanged(_:)), name: CartViewController.didChange, object: nil)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        appearances.append("did appear")
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        appearances.append("will disappear")
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        NotificationCenter.default.removeObserver(self, name: CartViewController.didChange, object: nil)
        appearances.append("did disappear")
    }

    @objc private func payTapped(_ sender: UIButton) {
        sender.isEnabled = false
        let checkout = CheckoutViewController(total: "33.00")
        if #available(iOS 13.0, *) {
            checkout.overrideUserInterfaceStyle = .light
        }
        navigationController?.pushViewController(checkout, animated: true)
        sender.isEnabled = true
    }

    @objc func applicationCameBack() {
        returns += 1
    }

    @objc private func cartChanged(_ notification: Notification) {
        changes.append(notification.name == CartViewController.didChange ? "changed" : "?")
    }

    func stopListening() {
        NotificationCenter.default.removeObserver(self)
    }
}
