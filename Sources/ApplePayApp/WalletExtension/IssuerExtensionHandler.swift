import BillfoldConcurrency
public import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import CoreGraphics
    public import PassKit
#else
    public import PassKitSimulator
#endif

/// The extension of Wallet, ready made: subclass it with an initializer without arguments, which is how the system makes it.
///
/// Status and entries come from the snapshot alone, and leave out what the device, or the watch, holds. A card is sealed as in the app: asked
/// for again while nobody answers, answered once and before Wallet gives up. A card that is not in the snapshot any more is not sealed.
///
/// The extension's bundle must be named in the passes' metadata, or it sees none of them and offers what is there already
/// (provisioning.md#pass-metadata, provisioning.md#wallet-extensions [D]).
open class IssuerExtensionHandler: PKIssuerProvisioningExtensionHandler {
    private let snapshot: @Sendable () -> ExtensionSnapshot?
    private let issuer: any IssuerServer
    private let art: @Sendable (ExtensionSnapshot.Card) -> CGImage?
    private let settings: AddPassSettings
    private let log = AnswerLog()

    /// - Parameters:
    ///   - snapshot: Reads what the app left, within a few milliseconds: ``ExtensionSnapshotFile/read()``.
    ///   - issuer: With a session of the customer's that app and extension share, in a keychain group.
    ///   - settings: How long the issuer may take.
    ///   - art: A card's picture: 1536 by 969 pixels, square corners, nothing personal on it. A card without one is not offered.
    public init(
        snapshot: @escaping @Sendable () -> ExtensionSnapshot?, issuer: any IssuerServer, settings: AddPassSettings = .init(),
        art: @escaping @Sendable (ExtensionSnapshot.Card) -> CGImage?
    ) {
        self.snapshot = snapshot
        self.issuer = issuer
        self.settings = settings
        self.art = art
        super.init()
    }

    /// Faults in the answers given so far; empty in a sound extension.
    public var answerFaults: [AnswerFault] { log.faults }

    open override func status(completion: @escaping @Sendable (PKIssuerProvisioningExtensionStatus) -> Void) {
        let snapshot = snapshot()
        let status = PKIssuerProvisioningExtensionStatus()
        status.requiresAuthentication = snapshot?.requiresAuthentication ?? false
        status.passEntriesAvailable = !missing(snapshot, isRemote: false).isEmpty
        status.remotePassEntriesAvailable = !missing(snapshot, isRemote: true).isEmpty
        completion(status)
    }

    open override func passEntries(completion: @escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {
        completion(entries(isRemote: false))
    }

    open override func remotePassEntries(completion: @escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {
        completion(entries(isRemote: true))
    }

    open override func generateAddPaymentPassRequestForPassEntryWithIdentifier(
        _ identifier: String, configuration: PKAddPaymentPassRequestConfiguration, certificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler completion: @escaping @Sendable (PKAddPaymentPassRequest?) -> Void
    ) {
        guard let card = snapshot()?.cards.first(where: { $0.id == identifier }) else { return completion(nil) }
        let challenge = PassChallenge(certificates: certificates, nonce: nonce, nonceSignature: nonceSignature)
        let (handler, scheme) = (HandedOver(completion), configuration.encryptionScheme)
        Task { @MainActor [issuer, settings, log] in
            let answer = OneShotAnswer<PKAddPaymentPassRequest?>(callback: "generateAddPaymentPassRequest", log: log) { handler.value($0) }
            answer.limit(to: settings.requestLimit, wait: settings.wait, fallback: { .some(nil) })
            let sealed = await issuer.sealed(card.id, for: challenge, scheme: scheme, settings: settings) { !answer.isExpired }
            answer.fulfilUnlessExpired(try? sealed?.get())
        }
    }

    /// The cards that the device, or the watch, does not hold. A card that was never in a wallet has no identifier, and is held nowhere.
    private func missing(_ snapshot: ExtensionSnapshot?, isRemote: Bool) -> [ExtensionSnapshot.Card] {
        guard let cards = snapshot?.cards, !cards.isEmpty else { return [] }
        let library = PKPassLibrary()
        let passes = isRemote ? library.remoteSecureElementPasses : library.passes(of: .secureElement).compactMap(\.secureElementPass)
        let held = Set(passes.map(\.primaryAccountIdentifier))
        return cards.filter { card in
            let account = card.configuration.primaryAccountIdentifier
            return account.isEmpty || !held.contains(account)
        }
    }

    private func entries(isRemote: Bool) -> [PKIssuerProvisioningExtensionPassEntry] {
        missing(snapshot(), isRemote: isRemote).compactMap { card in
            guard let picture = art(card), let configuration = try? card.configuration.requestConfiguration() else { return nil }
            return PKIssuerProvisioningExtensionPaymentPassEntry(
                identifier: card.id, title: card.title, art: picture, addRequestConfiguration: configuration)
        }
    }
}
