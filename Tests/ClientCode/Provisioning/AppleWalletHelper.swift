import Foundation
import PassKit
import UIKit

/// Adds one card to Apple Wallet.
final class AppleWalletHelper: NSObject, PKAddPaymentPassViewControllerDelegate {
    /// How it ended.
    var callback: ((_ finished: Bool, _ error: NSError?) -> Void)?
    /// Whose card; set before `addCard()`.
    var cardNo = ""

    private let bag = DisposeBag()

    /// Can be called on any thread.
    func addCard() {
        DispatchQueue.main.async {
            self.fetchConfiguration()
        }
    }

    private func fetchConfiguration() {
        BankAPI.shared.post("documented/configuration", ["cardNumber": cardNo])
            .subscribe(
                onNext: { card in
                    let holder = card["cardHolderName"] as? String
                    let network = card["paymentNetwork"] as? String ?? ""
                    let suffix = card["primaryAccountNumberSuffix"] as? String
                    let account = card["primaryAccountIdentifier"] as? String
                    let description = card["localizedDescription"] as? String
                    DispatchQueue.main.async {
                        self.show(holder: holder, network: network, suffix: suffix, account: account, description: description)
                    }
                },
                onError: { error in
                    let failure = error as NSError
                    DispatchQueue.main.async {
                        self.callback?(false, failure)
                    }
                }
            )
            .disposed(by: bag)
    }

    private func show(holder: String?, network: String, suffix: String?, account: String?, description: String?) {
        guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2) else {
            callback?(false, NSError(domain: "bank.wallet", code: 1, userInfo: nil))
            return
        }
        if #available(iOS 12.0, *) {
            configuration.style = .payment
        }
        configuration.cardholderName = holder
        configuration.paymentNetwork = PKPaymentNetwork(rawValue: network)
        configuration.primaryAccountSuffix = suffix
        configuration.primaryAccountIdentifier = account
        configuration.localizedDescription = description

        guard let controller = PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self) else {
            callback?(false, NSError(domain: "bank.wallet", code: 2, userInfo: [NSLocalizedDescriptionKey: "no controller"]))
            return
        }
        if #available(iOS 13.0, *) {
            controller.overrideUserInterfaceStyle = .light
        }
        guard let top = topViewController() else {
            callback?(false, NSError(domain: "bank.wallet", code: 3, userInfo: nil))
            return
        }
        top.present(controller, animated: true, completion: nil)
    }

    private func topViewController() -> UIViewController? {
        var top = UIApplication.shared.keyWindow?.rootViewController
        while let presented = top?.presentedViewController {
            top = presented
        }
        return top
    }

    // MARK: - PKAddPaymentPassViewControllerDelegate

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        generateRequestWithCertificateChain certificates: [Data],
        nonce: Data,
        nonceSignature: Data,
        completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        let body: [String: Any] = [
            "cardNumber": cardNo,
            "certificates": certificates.map { $0.base64EncodedString() },
            "nonce": nonce.base64EncodedString(),
            "nonceSignature": nonceSignature.base64EncodedString(),
        ]
        BankAPI.shared.post("documented/pass-data", body)
            .map { value -> PKAddPaymentPassRequest in
                let request = PKAddPaymentPassRequest()
                request.encryptedPassData = Data(base64Encoded: value["encryptedPassData"] as? String ?? "")
                request.ephemeralPublicKey = Data(base64Encoded: value["ephemeralPublicKey"] as? String ?? "")
                request.activationData = Data(base64Encoded: value["activationData"] as? String ?? "")
                return request
            }
            .subscribe(
                onNext: { request in
                    handler(request)
                },
                onError: { error in
                    Log.shared.error("pass data: \((error as NSError).code)")
                    handler(PKAddPaymentPassRequest())
                }
            )
            .disposed(by: bag)
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController,
        didFinishAdding pass: PKPaymentPass?,
        error: Error?
    ) {
        controller.dismiss(animated: true, completion: nil)
        if let error = error {
            let failure = error as NSError
            Log.shared.error("wallet: \(failure.domain) \(failure.code)")
            callback?(false, failure)
        } else {
            callback?(pass != nil, nil)
        }
    }
}
