import Foundation
import PassKit
import UIKit

/// What the bank's screen shows of a card: 0 no button, 1 "in Wallet", 2 the button.
enum WalletState: Int {
    case unavailable = 0
    case added = 1
    case addable = 2
}

/// The screen of one card.
final class CardDetailViewController: UIViewController {
    var accountIdentifier = ""
    var isSwitchedOn = true
    let helper = AppleWalletHelper()
    let addButton = PKAddPassButton(addPassButtonStyle: .black)
    let stateLabel = UILabel()
    private let library = PKPassLibrary()
    private var observers: [NSObjectProtocol] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        addButton.frame = CGRect(x: 20, y: 20, width: 280, height: 44)
        addButton.addTarget(self, action: #selector(addToWallet), for: .touchUpInside)
        view.addSubview(addButton)
        view.addSubview(stateLabel)
        refresh()
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        let changed = NSNotification.Name(rawValue: PKPassLibraryNotificationName.PKPassLibraryDidChange.rawValue)
        for name in [changed, NSNotification.Name.PKPassLibraryRemotePaymentPassesDidChange] {
            let observer = NotificationCenter.default.addObserver(forName: name, object: library, queue: nil) { [weak self] _ in
                guard let self = self else { return }
                DispatchQueue.main.async {
                    self.refresh()
                }
            }
            observers.append(observer)
        }
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }

    var state: WalletState {
        guard PKAddPaymentPassViewController.canAddPaymentPass(), isSwitchedOn else { return .unavailable }
        let canAdd: Bool
        if #available(iOS 13.4, *) {
            canAdd = library.canAddSecureElementPass(primaryAccountIdentifier: accountIdentifier)
        } else {
            canAdd = library.canAddPaymentPass(withPrimaryAccountIdentifier: accountIdentifier)
        }
        return canAdd ? .addable : .added
    }

    /// The card's passes here.
    var localPasses: [PKPaymentPass] {
        library.passes(of: .payment).compactMap { $0.paymentPass }.filter { $0.primaryAccountIdentifier == accountIdentifier }
    }

    var isOnPhone: Bool { !localPasses.isEmpty }

    var isOnWatch: Bool {
        guard WatchLink.shared.isPaired else { return false }
        if #available(iOS 13.4, *) {
            return library.remoteSecureElementPasses.contains { $0.primaryAccountIdentifier == accountIdentifier }
        }
        return library.remotePaymentPasses().contains { $0.primaryAccountIdentifier == accountIdentifier }
    }

    var isActive: Bool {
        localPasses.contains { pass in
            if #available(iOS 13.4, *) {
                return pass.passActivationState == .activated
            }
            return pass.activationState == .activated
        }
    }

    func refresh() {
        let state = self.state
        addButton.isHidden = state != .addable
        switch state {
        case .unavailable: stateLabel.text = nil
        case .added: stateLabel.text = isOnWatch ? "In Wallet on iPhone and Apple Watch" : "In Wallet"
        case .addable: stateLabel.text = isOnPhone ? "Add it to Apple Watch" : "Add it to Wallet"
        }
    }

    @objc func addToWallet() {
        helper.addCard()
    }
}
