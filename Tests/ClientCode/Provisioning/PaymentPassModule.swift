import Foundation
import PassKit
import UIKit

/// A module for a framework that calls by blocks: the native screen in one call, the sealed card in another.
final class PaymentPassModule: NSObject, PKAddPaymentPassViewControllerDelegate {
    typealias Resolve = ([String: String]) -> Void

    private var sealing: ((PKAddPaymentPassRequest) -> Void)?
    private var challenged: Resolve?
    private var finished: Resolve?

    func query(_ reference: String, resolve: Resolve) {
        if !PKAddPaymentPassViewController.canAddPaymentPass() {
            resolve(["status": "BLOCKED"])
        } else if PKPassLibrary().canAddPaymentPass(withPrimaryAccountIdentifier: reference) {
            resolve(["status": "CAN_ADD"])
        } else {
            resolve(["status": "ALREADY_ADDED"])
        }
    }

    func open(holder: String, lastFour: String, reference: String = "", challenged: @escaping Resolve, finished: @escaping Resolve) {
        guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2) else {
            finished(["error": "configuration"])
            return
        }
        configuration.cardholderName = holder
        configuration.primaryAccountSuffix = lastFour
        configuration.primaryAccountIdentifier = reference
        guard let controller = PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self) else {
            finished(["error": "entitlement"])
            return
        }
        self.challenged = challenged
        self.finished = finished
        UIApplication.shared.delegate?.window??.rootViewController?.present(controller, animated: true)
    }

    func complete(_ activation: String, _ data: String, _ key: String) {
        let request = PKAddPaymentPassRequest()
        request.activationData = Data(base64Encoded: activation)
        request.encryptedPassData = Data(base64Encoded: data)
        request.ephemeralPublicKey = Data(base64Encoded: key)
        sealing?(request)
        sealing = nil
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        sealing = handler
        challenged?([
            "leaf": certificates.first?.base64EncodedString() ?? "",
            "nonce": nonce.map { String(format: "%02x", $0) }.joined(),
            "nonceSignature": nonceSignature.map { String(format: "%02x", $0) }.joined(),
        ])
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: Error?
    ) {
        if let error = error as? NSError, error.code == PKAddPaymentPassError.userCancelled.rawValue {
            finished?(["error": "cancelled"])
        } else {
            finished?(error == nil ? ["deviceAccount": pass?.deviceAccountNumberSuffix ?? ""] : ["error": error!.localizedDescription])
        }
        finished = nil
        controller.dismiss(animated: true, completion: nil)
    }
}
