import BillfoldConcurrency
public import Foundation
public import UIKitSimulator

/// A bank's extension of Wallet (`com.apple.PassKit.issuer-provisioning`): what Wallet lists of the bank's cards, and the sealed card when the
/// customer picks one (provisioning.md#wallet-extensions [D]).
///
/// Override every method, in one of its two spellings and without calling `super`: these answer that there is nothing, and the call is recorded
/// as a ``DeviceFault``. Calls come on the main thread, and their answers are due there.
open class PKIssuerProvisioningExtensionHandler: NSObject {
    public override init() { super.init() }

    private func calledSuper(_ method: String) {
        SimulatedDevice.current.record(.extensionCalledSuper, "\(method) of the system's own class answered")
    }

    /// Whether there is anything to add, within ``WalletExtension/statusLimit``: from what the app has left, not from a server.
    @preconcurrency
    open func status(completion: @escaping @Sendable (PKIssuerProvisioningExtensionStatus) -> Void) {
        asked(completion) { await $0.status() }
    }

    /// The form with a completion, in Swift's other spelling.
    nonisolated(nonsending) open func status() async -> PKIssuerProvisioningExtensionStatus {
        calledSuper("status")
        return PKIssuerProvisioningExtensionStatus()
    }

    /// What can be added to this device. Passes that it holds are left out.
    @preconcurrency
    open func passEntries(completion: @escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {
        asked(completion) { await $0.passEntries() }
    }

    /// The form with a completion, in Swift's other spelling.
    nonisolated(nonsending) open func passEntries() async -> [PKIssuerProvisioningExtensionPassEntry] {
        calledSuper("passEntries")
        return []
    }

    /// What can be added to the watch. Passes that it holds are left out.
    @preconcurrency
    open func remotePassEntries(completion: @escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {
        asked(completion) { await $0.remotePassEntries() }
    }

    /// The form with a completion, in Swift's other spelling.
    nonisolated(nonsending) open func remotePassEntries() async -> [PKIssuerProvisioningExtensionPassEntry] {
        calledSuper("remotePassEntries")
        return []
    }

    /// The sealed card of an entry, once and within ``AddPassSheet/requestLimit``; nil where there is none.
    @preconcurrency
    open func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String, configuration: PKAddPaymentPassRequestConfiguration, certificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler completion: @escaping @Sendable (PKAddPaymentPassRequest?) -> Void
    ) {
        let given = HandedOver(configuration)
        asked(completion) {
            await $0.generateAddPaymentPassRequestForPassEntryWithIdentifier(
                identifier, configuration: given.value, certificateChain: certificates, nonce: nonce, nonceSignature: nonceSignature)
        }
    }

    /// The form with a completion handler, in Swift's other spelling.
    nonisolated(nonsending) open func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String, configuration: PKAddPaymentPassRequestConfiguration, certificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data
    ) async -> PKAddPaymentPassRequest? {
        calledSuper("generateAddPaymentPassRequestForPassEntryWithIdentifier")
        return nil
    }

    /// Asks by the other spelling, where the one with a completion was not overridden.
    private func asked<Answer>(
        _ completion: @escaping (Answer) -> Void, _ question: @escaping @MainActor (PKIssuerProvisioningExtensionHandler) async -> Answer
    ) {
        let (handler, completion, question) = (HandedOver(self), HandedOver(completion), HandedOver(question))
        Task { @MainActor in completion.value(await question.value(handler.value)) }
    }
}

/// What an extension says of its entries before anybody sees them.
open class PKIssuerProvisioningExtensionStatus: NSObject {
    /// Whether the customer has to log in before a card is added, in the app's other extension.
    open var requiresAuthentication = false
    /// Whether there is a card for this device.
    open var passEntriesAvailable = false
    /// Whether there is a card for the watch.
    open var remotePassEntriesAvailable = false

    public override init() { super.init() }
}

/// A card that Wallet lists.
open class PKIssuerProvisioningExtensionPassEntry: NSObject {
    /// Names it among all entries of the extension.
    public let identifier: String
    public let title: String
    public let art: CGImage

    init(identifier: String, title: String, art: CGImage) {
        (self.identifier, self.title, self.art) = (identifier, title, art)
    }
}

/// A payment card that Wallet lists.
open class PKIssuerProvisioningExtensionPaymentPassEntry: PKIssuerProvisioningExtensionPassEntry {
    public let addRequestConfiguration: PKAddPaymentPassRequestConfiguration

    /// Nil without identifier or title [I].
    public init?(
        identifier: String, title: String, art: CGImage, addRequestConfiguration configuration: PKAddPaymentPassRequestConfiguration
    ) {
        guard !identifier.isEmpty, !title.isEmpty else { return nil }
        addRequestConfiguration = configuration
        super.init(identifier: identifier, title: title, art: art)
    }
}

/// Whether the customer logged in.
public enum PKIssuerProvisioningExtensionAuthorizationResult: Int, Sendable {
    case canceled = 0
    case authorized = 1
}

/// The bank's other extension (`com.apple.PassKit.issuer-provisioning.authorization`): a screen on which the customer logs in.
@MainActor
public protocol PKIssuerProvisioningExtensionAuthorizationProviding: AnyObject {
    /// Set by Wallet before the screen appears; called once the customer has logged in or has turned back.
    var completionHandler: ((PKIssuerProvisioningExtensionAuthorizationResult) -> Void)? { get set }
}
