import Foundation
import PassKit
import UIKit

/// What the app tells the customer.
enum ProvisioningOutcome: Equatable {
    case ready
    case needsVerification
    case cancelled
    case failed(String)
    case unknown
}

/// The same flow as one asynchronous function, with a memory of what was under way.
@MainActor
final class CardProvisioner: NSObject {
    private let memory: KeptTexts
    private let seal: @Sendable (_ certificates: [Data], _ nonce: Data, _ signature: Data) async throws -> [String: Data]
    private var finished: CheckedContinuation<ProvisioningOutcome, Never>?

    init(
        memory: KeptTexts,
        seal: @escaping @Sendable (_ certificates: [Data], _ nonce: Data, _ signature: Data) async throws -> [String: Data]
    ) {
        self.memory = memory
        self.seal = seal
        super.init()
    }

    func add(suffix: String, holder: String, account: String, over screen: UIViewController) async -> ProvisioningOutcome {
        guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2) else { return .failed("scheme") }
        configuration.cardholderName = holder
        configuration.primaryAccountSuffix = suffix
        configuration.primaryAccountIdentifier = account
        configuration.cardDetails = [PKLabeledValue(label: "Card", value: suffix)]
        configuration.requiresFelicaSecureElement = false
        guard let controller = PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self) else {
            return .failed("unsupported")
        }
        memory["pending"] = account
        let outcome = await withCheckedContinuation { continuation in
            finished = continuation
            screen.present(controller, animated: true)
        }
        await withCheckedContinuation { continuation in
            controller.dismiss(animated: true) { continuation.resume() }
        }
        if outcome != .unknown { memory["pending"] = nil }
        return outcome
    }

    /// What became of a card whose flow the app did not see to its end.
    static func outcomeAfterRestart(memory: KeptTexts) -> ProvisioningOutcome? {
        guard let account = memory["pending"] else { return nil }
        let library = PKPassLibrary()
        let passes: [PKSecureElementPass] =
            library.passes(of: .secureElement).compactMap { $0.secureElementPass } + library.remoteSecureElementPasses
        guard let pass = passes.first(where: { $0.primaryAccountIdentifier == account }) else { return .unknown }
        memory["pending"] = nil
        return pass.passActivationState == .activated ? .ready : .needsVerification
    }

    private static func outcome(of pass: PKPaymentPass?, _ error: Error?) -> ProvisioningOutcome {
        if let pass {
            return pass.passActivationState == .activated ? .ready : .needsVerification
        }
        guard let error = error as NSError? else { return .unknown }
        switch (error.domain, error.code) {
        case (PKPassKitErrorDomain, PKAddPaymentPassError.userCancelled.rawValue),
            (PKAddSecureElementPassErrorDomain, PKAddSecureElementPassError.userCanceledError.rawValue):
            return .cancelled
        case (PKPassKitErrorDomain, PKAddPaymentPassError.unsupported.rawValue): return .failed("unsupported")
        case (PKPassKitErrorDomain, PKAddPaymentPassError.systemCancelled.rawValue): return .failed("system")
        default: return .unknown
        }
    }
}

extension CardProvisioner: PKAddPaymentPassViewControllerDelegate {
    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        Task {
            let request = PKAddPaymentPassRequest()
            do {
                let answer = try await seal(certificates, nonce, nonceSignature)
                request.encryptedPassData = answer["encryptedPassData"]
                request.ephemeralPublicKey = answer["ephemeralPublicKey"]
                request.activationData = answer["activationData"]
            } catch {
                Log.shared.error("sealing: \(error)")
            }
            handler(request)
        }
    }

    func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: Error?
    ) {
        finished?.resume(returning: Self.outcome(of: pass, error))
        finished = nil
    }
}
