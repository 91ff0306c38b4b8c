import UIKit

class CheckoutViewController: UIViewController {
    private let total: String
    private(set) var decision: String?
    private(set) var hasDismissed = false
    private lazy var askButton = UIButton(type: .custom)
    private let note = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 20))

    init(total: String) {
        self.total = total
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func loadView() {
        view = UIView()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        askButton.setTitle("Confirm", for: .normal)
        askButton.addAction(UIAction { [weak self] _ in self?.confirm() }, for: .touchUpInside)
        view.addSubview(askButton)
        note.alpha = 0
        view.addSubview(note)
    }

    func confirm() {
        let alert = UIAlertController(title: "Pay", message: "Pay ¥\(total)?", preferredStyle: .alert)
        let ok = UIAlertAction(title: "OK", style: .default) { [weak self] action in
            self?.decision = action.title
            self?.note.removeFromSuperview()
        }
        let cancel = UIAlertAction(title: "Cancel", style: .cancel, handler: { _ in self.decision = "Cancel" })
        let remove = UIAlertAction(title: "Empty cart", style: .destructive)
        remove.isEnabled = false
        alert.addAction(ok)
        alert.addAction(cancel)
        alert.addAction(remove)
        self.present(alert, animated: true, completion: nil)
    }

    func chooseOnSheet() {
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        for name in ["Alipay", "Apple Pay"] {
            sheet.addAction(UIAlertAction(title: name, style: .default, handler: { [unowned self] in self.decision = $0.title }))
        }
        present(sheet, animated: true)
    }

    func close() {
        if let navigation = navigationController {
            navigation.popViewController(animated: true)
            hasDismissed = true
        } else {
            dismiss(animated: true) { [weak self] in self?.hasDismissed = true }
        }
    }
}
