// Written as a bank's extension of Wallet is written: against PassKit's names alone.
import Foundation

#if canImport(UIKit)
    import CoreGraphics
    import PassKit
#else
    import PassKitSimulator
#endif

/// An extension such as banks have: it lists one card, and its server seals it.
final class SampleExtension: PKIssuerProvisioningExtensionHandler {
    static let art = CGImage(width: 1_536, height: 969)
    let backend: any CardBackend

    init(backend: any CardBackend) {
        self.backend = backend
        super.init()
    }

    override func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) {
        let status = PKIssuerProvisioningExtensionStatus()
        status.passEntriesAvailable = true
        status.remotePassEntriesAvailable = true
        completion(status)
    }

    private func entries() -> [PKIssuerProvisioningExtensionPassEntry] {
        guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2) else { return [] }
        configuration.cardholderName = "MEI LIN"
        configuration.primaryAccountSuffix = "1234"
        configuration.primaryAccountIdentifier = "V-1"
        let entry = PKIssuerProvisioningExtensionPaymentPassEntry(
            identifier: "card-1", title: "Example Visa", art: Self.art, addRequestConfiguration: configuration)
        return [entry].compactMap { $0 }
    }

    override func passEntries(completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void) { completion(entries()) }
    override func remotePassEntries(completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void) { completion(entries()) }

    override func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String, configuration: PKAddPaymentPassRequestConfiguration, certificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler completion: @escaping (PKAddPaymentPassRequest?) -> Void
    ) {
        let answer = Answer(completion)
        Task { @MainActor [backend] in
            guard
                let sealed = try? await backend.enroll(
                    card: identifier, certificates: certificates.map { $0.base64EncodedString() }, nonce: nonce.base64EncodedString(),
                    nonceSignature: nonceSignature.base64EncodedString())
            else { return answer.give(nil) }
            let request = PKAddPaymentPassRequest()
            request.encryptedPassData = sealed["encryptedPassData"].flatMap { Data(base64Encoded: $0) }
            request.activationData = sealed["activationData"].flatMap { Data(base64Encoded: $0) }
            request.ephemeralPublicKey = sealed["ephemeralPublicKey"].flatMap { Data(base64Encoded: $0) }
            answer.give(request)
        }
    }

    private struct Answer: @unchecked Sendable {
        let give: (PKAddPaymentPassRequest?) -> Void
        init(_ give: @escaping (PKAddPaymentPassRequest?) -> Void) { self.give = give }
    }
}

/// The log-in screen of the other extension.
final class SampleLogIn: UIViewController, PKIssuerProvisioningExtensionAuthorizationProviding {
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)?
    let knows: Bool

    init(knows: Bool) {
        self.knows = knows
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) { completionHandler?(knows ? .authorized : .canceled) }
}
