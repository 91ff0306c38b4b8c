// Written as a bank's app for a phone is written: against PassKit's and UIKit's names alone.
import Foundation

#if canImport(UIKit)
    import PassKit
    import UIKit
#else
    import PassKitSimulator
#endif

/// A card as the bank's own back end lists it.
struct BankCard: Sendable {
    var id: String
    var holder: String
    var suffix: String
    var description: String
    var primaryAccountIdentifier: String
}

/// The bank's own back end: what it takes and gives is text.
protocol CardBackend: Sendable {
    /// Answers `encryptedPassData`, `activationData` and `ephemeralPublicKey`, in base64.
    func enroll(card: String, certificates: [String], nonce: String, nonceSignature: String) async throws -> [String: String]
}

/// A screen such as many banks' apps have.
final class CardViewController: UIViewController, PKAddPaymentPassViewControllerDelegate {
    enum Status: Equatable {
        case idle, notSupported, refusedBySystem
        case added(isReady: Bool)
        case cancelled, failed
    }

    let card: BankCard
    let backend: any CardBackend
    let library = PKPassLibrary()
    private(set) var status = Status.idle
    private(set) var pass: PKPaymentPass?

    init(card: BankCard, backend: any CardBackend) {
        self.card = card
        self.backend = backend
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    var showsAddButton: Bool {
        PKAddPaymentPassViewController.canAddPaymentPass()
            && library.canAddSecureElementPass(primaryAccountIdentifier: card.primaryAccountIdentifier)
    }

    func makeButton() -> PKAddPassButton { PKAddPassButton(addPassButtonStyle: .black) }

    func addToWallet() {
        guard showsAddButton else {
            status = .notSupported
            return
        }
        guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2) else {
            status = .refusedBySystem
            return
        }
        configuration.cardholderName = card.holder
        configuration.primaryAccountSuffix = card.suffix
        configuration.localizedDescription = card.description
        configuration.primaryAccountIdentifier = card.primaryAccountIdentifier
        configuration.paymentNetwork = .visa

        guard let controller = PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self) else {
            status = .refusedBySystem
            return
        }
        present(controller, animated: true, completion: nil)
    }

    // MARK: PKAddPaymentPassViewControllerDelegate

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        Task {
            let request = PKAddPaymentPassRequest()
            if let answer = try? await backend.enroll(
                card: card.id, certificates: certificates.map { $0.base64EncodedString() }, nonce: nonce.base64EncodedString(),
                nonceSignature: nonceSignature.base64EncodedString())
            {
                request.encryptedPassData = answer["encryptedPassData"].flatMap { Data(base64Encoded: $0) }
                request.activationData = answer["activationData"].flatMap { Data(base64Encoded: $0) }
                request.ephemeralPublicKey = answer["ephemeralPublicKey"].flatMap { Data(base64Encoded: $0) }
            }
            handler(request)
        }
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: (any Error)?
    ) {
        controller.dismiss(animated: true, completion: nil)
        self.pass = pass
        if let pass {
            status = .added(isReady: pass.passActivationState == .activated)
        } else if (error as NSError?)?.code == PKAddPaymentPassError.userCancelled.rawValue {
            status = .cancelled
        } else {
            status = .failed
        }
    }
}
