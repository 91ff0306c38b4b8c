import ApplePayApp
import PassKit
import UIKit

/// The customer's cards: the wallet's button where a card can be added, and where it is.
final class CardsViewController: UIViewController {
    private let bank: LeafBank
    private let noticeLabel = UILabel.text()
    private let cardRows = UIStackView(arrangedSubviews: [])

    init(bank: LeafBank) {
        self.bank = bank
        super.init(nibName: nil, bundle: nil)
        title = "Your cards"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        cardRows.axis = .vertical
        cardRows.spacing = 12
        let logOut = UIButton(type: .system, primaryAction: UIAction(title: "Log out") { [weak self] _ in self?.bank.logOut() })
        _ = Rows(in: view, [noticeLabel, cardRows, logOut])
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        bank.onChange = { [weak self] in self?.draw() }
        bank.present = { [weak self] sheet in self?.present(sheet, animated: true) }
        draw()
    }

    private func draw() {
        guard bank.customer != nil else {
            navigationController?.popToRootViewController(animated: true)
            return
        }
        noticeLabel.text = bank.notice
        noticeLabel.isHidden = bank.notice == nil
        for old in cardRows.arrangedSubviews {
            cardRows.removeArrangedSubview(old)
            old.removeFromSuperview()
        }
        for row in bank.rows {
            let name = UILabel.text(bold: true)
            name.text = "\(row.card.displayName) \(row.card.suffix)"
            cardRows.addArrangedSubview(name)
            let state = UILabel.text()
            state.text = Self.text(for: row)
            cardRows.addArrangedSubview(state)
            // The system's button, and only where a tap can lead to something.
            let button = PKAddPassButton.button(for: row.eligibility) { [weak self] in self?.add(row) }
            if let button { cardRows.addArrangedSubview(button) }
        }
    }

    private func add(_ row: LeafBank.Row) {
        Task { await bank.add(row) }
    }

    private static func text(for row: LeafBank.Row) -> String {
        switch row.eligibility {
        case .notSupported: return "This device cannot hold cards."
        case .notEntitled: return "This app cannot add cards."
        case .disabledByIssuer(_, let reason): return reason
        case .addable where row.passes.isEmpty: return "Not in Wallet."
        case .addable: return "\(held(row.passes)). It can be added to your other device."
        case .pendingActivation, .complete: return held(row.passes)
        }
    }

    /// Never "ready" of a pass that cannot pay.
    private static func held(_ passes: [PassHolder: HeldPass.Activation]) -> String {
        if passes.values.allSatisfy({ $0 == .activated }) { return "In Wallet, ready to pay" }
        if passes.values.contains(where: { $0 == .suspended || $0 == .deactivated }) { return "In Wallet, and stopped" }
        return "In Wallet, not usable yet"
    }
}
