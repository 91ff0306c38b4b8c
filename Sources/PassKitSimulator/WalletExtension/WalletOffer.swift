import Foundation

/// What Wallet lists of one bank's app, and the way from there to the pass.
@MainActor
public final class WalletOffer {
    /// A card in the list.
    public struct Entry: Sendable, Hashable, Identifiable {
        public var id: String
        public var title: String
        /// Whether it is for the watch.
        public var isRemote: Bool
    }

    /// How adding a card ended.
    public enum Outcome: Equatable {
        case added(WalletPass.ID)
        /// The customer turned back.
        case cancelled
        case failed
    }

    /// Those for this device first.
    public let entries: [Entry]
    /// Whether the customer has to log in first.
    public let requiresAuthentication: Bool
    /// How the last card that was chosen ended; nil while nothing has.
    public private(set) var outcome: Outcome?
    private let device: SimulatedDevice
    private let installed: WalletExtension
    private let handler: PKIssuerProvisioningExtensionHandler
    private let listed: [String: PKIssuerProvisioningExtensionPaymentPassEntry]
    private var sheet: AddPassSheet?
    private var chosen: PKIssuerProvisioningExtensionPaymentPassEntry?

    fileprivate init(
        on device: SimulatedDevice, of installed: WalletExtension, handler: PKIssuerProvisioningExtensionHandler,
        requiresAuthentication: Bool,
        entries: [(entry: PKIssuerProvisioningExtensionPaymentPassEntry, isRemote: Bool)]
    ) {
        (self.device, self.installed, self.handler) = (device, installed, handler)
        self.requiresAuthentication = requiresAuthentication
        self.entries = entries.map { Entry(id: $0.entry.identifier, title: $0.entry.title, isRemote: $0.isRemote) }
        listed = Dictionary(entries.map { (Self.key($0.entry.identifier, $0.isRemote), $0.entry) }) { first, _ in first }
    }

    private static func key(_ id: String, _ isRemote: Bool) -> String { "\(isRemote ? "watch" : "phone") \(id)" }

    /// The customer picks a card: logs in where that is due, and goes through the same screens as in the app.
    ///
    /// - Parameter entry: One of ``entries``.
    /// - Returns: The screens; nil where the customer did not log in, which ``outcome`` tells.
    public func add(_ entry: Entry) async -> AddPassSheet? {
        outcome = nil
        guard let wanted = listed[Self.key(entry.id, entry.isRemote)], let target = entry.isRemote ? device.reachableWatch : device else {
            outcome = .failed
            return nil
        }
        guard await isAuthorized() else { return nil }
        chosen = wanted
        let made = AddPassSheet(configuration: wanted.addRequestConfiguration, requester: self, device: device, targets: [target])
        sheet = made
        made.begin()
        return made
    }

    private func isAuthorized() async -> Bool {
        guard requiresAuthentication else { return true }
        guard let screen = installed.makeAuthorization() else {
            device.record(.authorizationMissing, "the status asks for authentication, and there is no extension for it")
            outcome = .failed
            return false
        }
        let result = await withCheckedContinuation { continuation in
            var waiting: CheckedContinuation<PKIssuerProvisioningExtensionAuthorizationResult, Never>? = continuation
            let device = device
            screen.completionHandler = { result in
                guard let first = waiting else { return device.record(.answeredTwice, "completionHandler: it was called a second time") }
                waiting = nil
                first.resume(returning: result)
            }
            (screen as? UIViewController)?.viewDidAppear(true)
        }
        screen.completionHandler = nil
        if result == .canceled { outcome = .cancelled }
        return result == .authorized
    }
}

extension WalletOffer: AddPassRequester {
    var callback: String { "generateAddPaymentPassRequestForPassEntryWithIdentifier" }
    var isThere: Bool { chosen != nil }
    var bundle: SignedApp { installed.handler }

    func generate(for challenge: BrokerChallenge, handler: @escaping @Sendable (PKAddPaymentPassRequest?) -> Void) {
        guard let chosen else { return handler(nil) }
        device.running(installed.handler) {
            self.handler.generateAddPaymentPassRequestForPassEntryWithIdentifier(
                chosen.identifier, configuration: chosen.addRequestConfiguration, certificateChain: challenge.certificates,
                nonce: challenge.nonce, nonceSignature: challenge.nonceSignature, completionHandler: handler)
        }
    }

    func finished(_ pass: PKPaymentPass?, _ error: NSError?) {
        if let pass {
            outcome = .added(pass.serialNumber)
        } else {
            outcome = error?.code == PKAddPaymentPassError.userCancelled.rawValue ? .cancelled : .failed
        }
        // The screen goes as soon as it has told how it ended.
        sheet?.leave()
        sheet = nil
    }
}

extension SimulatedDevice {
    /// Runs code of an extension: it is on this device, and under its own bundle's identifier.
    fileprivate func running<Result>(_ bundle: SignedApp, _ body: () -> Result) -> Result {
        Self.$current.withValue(self) { Self.$callingExtension.withValue(bundle, operation: body) }
    }

    /// What Wallet lists of an app. Nil where it does not list it; the device's faults say why.
    ///
    /// - Parameter installed: The app and its extensions.
    @MainActor
    public func walletOffer(of installed: WalletExtension) async -> WalletOffer? {
        func unlisted(_ rule: WalletExtensionRule) -> WalletOffer? {
            record(.extensionNotListed, rule.rawValue)
            return nil
        }
        guard canMakePayments else { return unlisted(.deviceCannotAdd) }
        let targets = [configuration.app, installed.handler] + (installed.authorization.map { [$0] } ?? [])
        guard targets.allSatisfy(\.mayAddPasses) else { return unlisted(.notEntitled) }
        guard installed.wasAppOpened else { return unlisted(.appNotOpened) }
        let handler = running(installed.handler) { installed.makeHandler() }
        let asked = SheetReply<PKIssuerProvisioningExtensionStatus>(callback: "status", device: self)
        guard
            let status = await asked.wait(
                atMost: WalletExtension.statusLimit,
                calling: { answer in running(installed.handler) { handler.status(completion: answer) } })
        else { return unlisted(.statusLate) }
        var listed: [(entry: PKIssuerProvisioningExtensionPaymentPassEntry, isRemote: Bool)] = []
        if status.passEntriesAvailable {
            let entries = await entries("passEntries", of: installed) { handler.passEntries(completion: $0) }
            listed += fitting(entries, on: self).map { ($0, false) }
        }
        if status.remotePassEntriesAvailable, let watch = reachableWatch, watch.canMakePayments {
            let entries = await entries("remotePassEntries", of: installed) { handler.remotePassEntries(completion: $0) }
            listed += fitting(entries, on: watch).map { ($0, true) }
        }
        guard !listed.isEmpty else { return unlisted(.noEntries) }
        return WalletOffer(
            on: self, of: installed, handler: handler, requiresAuthentication: status.requiresAuthentication, entries: listed)
    }

    @MainActor
    private func entries(
        _ callback: String, of installed: WalletExtension,
        _ ask: (@escaping @Sendable ([PKIssuerProvisioningExtensionPassEntry]) -> Void) -> Void
    ) async -> [PKIssuerProvisioningExtensionPassEntry] {
        let reply = SheetReply<[PKIssuerProvisioningExtensionPassEntry]>(callback: callback, device: self)
        return await reply.wait(atMost: WalletExtension.entriesLimit) { answer in running(installed.handler) { ask(answer) } } ?? []
    }

    /// The entries that Wallet lists for a device.
    @MainActor
    private func fitting(
        _ entries: [PKIssuerProvisioningExtensionPassEntry], on target: SimulatedDevice
    ) -> [PKIssuerProvisioningExtensionPaymentPassEntry] {
        var seen: Set<String> = []
        return entries.compactMap { $0 as? PKIssuerProvisioningExtensionPaymentPassEntry }.filter { entry in
            let (isNew, _) = seen.insert(entry.identifier)
            let broken = isNew ? WalletEntryRule.broken(by: entry, on: target) : .identifierRepeated
            if let broken { record(.extensionEntryRefused, "\(entry.identifier): \(broken.rawValue)") }
            return broken == nil
        }
    }
}

extension WalletEntryRule {
    /// The first rule that an entry breaks by itself.
    @MainActor
    fileprivate static func broken(by entry: PKIssuerProvisioningExtensionPaymentPassEntry, on target: SimulatedDevice) -> WalletEntryRule?
    {
        let configuration = entry.addRequestConfiguration
        let account = configuration.primaryAccountIdentifier ?? ""
        if (entry.art.width, entry.art.height) != WalletExtension.artSize { return .artUnfit }
        if !account.isEmpty, target.holdsPass(primaryAccountIdentifier: account) { return .alreadyHeld }
        let isNameless = (configuration.cardholderName ?? "").isEmpty && (configuration.primaryAccountSuffix ?? "").isEmpty
        return isNameless ? .nameAndSuffixMissing : nil
    }
}
