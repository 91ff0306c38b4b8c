package import BillfoldJSON

/// How a chosen wallet is opened: `redirectionInfo` beside a wallet's name [O].
public struct WalletLinks: Sendable, Hashable {
    /// A custom scheme: only for a wallet that is surely installed, since it ends in an error dialog otherwise
    /// (alipay-plus.md#wallet-links [I]).
    public var schemeURL: String?
    /// A universal link: opens the wallet, or its page where the wallet is not installed.
    public var applinkURL: String?
    /// A page: for browsers, for wallets that are not installed, and inside the QR code of a desktop.
    public var normalURL: String?
    /// Bundle or package name, such as `hk.alipay.wallet`.
    public var appIdentifier: String?

    public init(schemeURL: String? = nil, applinkURL: String? = nil, normalURL: String? = nil, appIdentifier: String? = nil) {
        self.schemeURL = schemeURL
        self.applinkURL = applinkURL
        self.normalURL = normalURL
        self.appIdentifier = appIdentifier
    }

    /// Whether there is nothing to open.
    public var isEmpty: Bool { schemeURL == nil && applinkURL == nil && normalURL == nil }

    /// Absent, `null` and empty texts are the same.
    package init(_ value: JSONValue?) {
        func text(_ key: String) -> String? { value?[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            schemeURL: text("schemeUrl"), applinkURL: text("applinkUrl"), normalURL: text("normalUrl"), appIdentifier: text("appIdentifier")
        )
    }

    package var json: JSONValue {
        .texts(["schemeUrl": schemeURL, "applinkUrl": applinkURL, "normalUrl": normalURL, "appIdentifier": appIdentifier])
    }
}
