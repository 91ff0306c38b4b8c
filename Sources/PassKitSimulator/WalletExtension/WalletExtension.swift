/// A bank's app with its two extensions of Wallet, as it is installed on a device.
public struct WalletExtension: Sendable {
    /// Within which ``PKIssuerProvisioningExtensionHandler/status(completion:)`` must answer (provisioning.md#timings [D]).
    public static let statusLimit = Duration.milliseconds(100)
    /// Within which entries must be there; not documented [I].
    public static let entriesLimit = Duration.seconds(2)
    /// What entries' art measures, in pixels (provisioning.md#wallet-extensions [D]).
    public static let artSize = (width: 1_536, height: 969)

    /// The extension without a screen, as it is signed.
    public var handler: SignedApp
    /// The extension with the log-in screen, as it is signed; nil for an app that has none.
    public var authorization: SignedApp?
    /// Whether the customer opened the app since it was installed.
    public var wasAppOpened: Bool
    let makeHandler: @MainActor @Sendable () -> PKIssuerProvisioningExtensionHandler
    let makeAuthorization: @MainActor @Sendable () -> (any PKIssuerProvisioningExtensionAuthorizationProviding)?

    /// - Parameters:
    ///   - handler: The extension without a screen, as it is signed.
    ///   - authorization: The extension with the log-in screen, as it is signed; nil for an app that has none.
    ///   - wasAppOpened: Whether the customer opened the app since it was installed.
    ///   - makeHandler: Makes the extension's principal object, once each time that Wallet looks.
    ///   - makeAuthorization: Makes the log-in screen, once each time that it is needed.
    public init(
        handler: SignedApp, authorization: SignedApp? = nil, wasAppOpened: Bool = true,
        makeHandler: @escaping @MainActor @Sendable () -> PKIssuerProvisioningExtensionHandler,
        makeAuthorization: @escaping @MainActor @Sendable () -> (any PKIssuerProvisioningExtensionAuthorizationProviding)? = { nil }
    ) {
        self.handler = handler
        self.authorization = authorization
        self.wasAppOpened = wasAppOpened
        self.makeHandler = makeHandler
        self.makeAuthorization = makeAuthorization
    }
}

/// The rules by which Wallet lists an app. One case, one rule; a broken one is the reason of a ``DeviceFault/Code/extensionNotListed``.
public enum WalletExtensionRule: String, Sendable, CaseIterable {
    case deviceCannotAdd = "device-cannot-add-passes"
    /// The entitlement is due on all three targets.
    case notEntitled = "not-entitled"
    case appNotOpened = "app-not-opened"
    case statusLate = "status-late"
    case noEntries = "no-entries"
}

/// The rules by which Wallet lists an entry. One case, one rule; a broken one is named in a ``DeviceFault/Code/extensionEntryRefused``.
public enum WalletEntryRule: String, Sendable, CaseIterable {
    /// Every other entry than the first of an identifier is left out.
    case identifierRepeated = "identifier-repeated"
    case artUnfit = "art-unfit"
    /// The device holds a pass of the account. An extension whose bundle the pass does not name cannot know.
    case alreadyHeld = "already-held"
    case nameAndSuffixMissing = "name-and-suffix-missing"
}
