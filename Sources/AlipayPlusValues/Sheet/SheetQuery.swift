/// What an app adds to the address of a payment sheet: query items that its page reads [I].
///
/// `language` is one of the eight, `installed` the names of the wallets that the phone has, joined by commas, and `client=app` says that
/// an app is around the page and opens the wallet.
public struct SheetQuery: Sendable, Hashable {
    public var language: AlipayPlusLanguage
    /// Enumeration values. On iOS those whose scheme the app may ask for.
    public var installedWallets: [String]

    public init(language: AlipayPlusLanguage, installedWallets: [String]) {
        self.language = language
        self.installedWallets = installedWallets
    }

    /// Names and values in the order in which they are added, not yet percent-encoded.
    public var items: [(name: String, value: String)] {
        [("client", "app"), ("language", language.rawValue), ("installed", installedWallets.joined(separator: ","))]
    }
}
