import Foundation
import PassKit
import UIKit

/// What became of an activation.
enum ActivationOutcome: Equatable {
    case active
    case noPass
    case notEntitled
    case refused(Int)
}

/// What the app does with a pass that is in Wallet already.
final class WalletPassActions: NSObject {
    private let library = PKPassLibrary()
    private let bag = DisposeBag()

    var canActivate: Bool {
        guard PKPassLibrary.isPassLibraryAvailable() else { return false }
        if #available(iOS 13.4, *) {
            return library.isSecureElementPassActivationAvailable
        }
        return library.isPaymentPassActivationAvailable()
    }

    /// Answers the link by which Wallet opens the app.
    @MainActor
    func verify(link: URL, completion: @escaping (ActivationOutcome) -> Void) {
        let items = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems ?? []
        func value(_ name: String) -> String { items.first(where: { $0.name == name })?.value ?? "" }
        let found = library.pass(withPassTypeIdentifier: value("passTypeIdentifier"), serialNumber: value("serialNumber"))
        guard let pass = found?.paymentPass, pass.activationState == .requiresActivation else {
            completion(.noPass)
            return
        }
        library.activate(pass, withActivationData: Data("one-time".utf8)) { success, error in
            if success {
                completion(.active)
                return
            }
            let failure = error as NSError
            if failure.domain == PKPassKitErrorDomain, failure.code == PKPassKitError.notEntitledError.rawValue {
                completion(.notEntitled)
            } else {
                completion(.refused(failure.code))
            }
        }
    }

    /// Opens the pass in Wallet.
    @MainActor
    func open(_ pass: PKPass) {
        guard library.containsPass(pass), let url = pass.passURL else { return }
        UIApplication.shared.open(url, options: [:], completionHandler: nil)
    }

    /// Shows the pass for paying at a terminal.
    func pay(with pass: PKPass) {
        if let payment = pass.paymentPass {
            library.present(payment)
        }
    }

    /// Removes every pass of a card, here and on the watch.
    func removeAll(account: String) {
        let passes = library.passes(of: .payment).compactMap { $0 as? PKPaymentPass } + library.remotePaymentPasses()
        passes.filter { $0.primaryAccountIdentifier == account }.forEach(library.removePass(_:))
    }
}
