import PassKit
import UIKit

/// Decides which button stands on a page, and decides again when the wallet changes or the app comes back.
@MainActor
final class WalletWatcher {
    enum Choice { case nothing, setUp, pay }

    private let library = PKPassLibrary()
    private var observers: [NSObjectProtocol] = []
    private(set) var choice = Choice.nothing
    var onChange: ((Choice) -> Void)?

    func start() {
        guard PKPassLibrary.isPassLibraryAvailable() else { return }
        decide()
        let changed = Notification.Name(PKPassLibraryNotificationName.PKPassLibraryDidChange.rawValue)
        for name in [changed, UIApplication.didBecomeActiveNotification] {
            let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                MainActor.assumeIsolated { self?.decide() }
            }
            observers.append(observer)
        }
    }

    func stop() {
        observers.forEach(NotificationCenter.default.removeObserver)
        observers = []
    }

    func openWallet() { library.openPaymentSetup() }

    private func decide() {
        let before = choice
        if !PKPaymentAuthorizationViewController.canMakePayments() {
            choice = .nothing
        } else if PKPaymentAuthorizationViewController.canMakePayments(
            usingNetworks: [.chinaUnionPay], capabilities: [.capabilityEMV, .capabilityDebit])
        {
            choice = .pay
        } else {
            choice = .setUp
        }
        if before != choice { onChange?(choice) }
    }
}
