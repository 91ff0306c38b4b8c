public import Foundation

/// The hosts that a client meets.
public struct PaymentEnvironment: Sendable, Hashable {
    /// The web cashier, for phones without a wallet.
    public var cashier: URL
    /// The scheme by which the wallet is opened. That of the Hong Kong wallet is not known.
    public var walletScheme: String

    public init(cashier: URL, walletScheme: String = "alipay") {
        self.cashier = cashier
        self.walletScheme = walletScheme
    }

    /// The environment whose cashier lies at `/cashier` of a host. Nil when the text is no address.
    public init?(origin: String) {
        guard let url = URL(string: origin), url.host != nil else { return nil }
        self.init(cashier: url.appendingPathComponent("cashier"))
    }
}

/// Which environment has which hosts. The app overrides what it likes, so that a client can be pointed at any gateway.
public struct PaymentEnvironments: Sendable, Hashable {
    private var hosts: [String: PaymentEnvironment]

    /// Names are the app's own.
    public init(_ hosts: [String: PaymentEnvironment]) { self.hosts = hosts }

    /// `production` and `sandbox` are the public hosts, the cashier's place there being inferred [I]; `local` is a gateway on this machine.
    public static let standard = Self(
        [
            "production": "https://mclient.alipay.com", "sandbox": "https://openapi-sandbox.dl.alipaydev.com",
            "local": "http://127.0.0.1:8080",
        ].compactMapValues(PaymentEnvironment.init(origin:)))

    public subscript(name: String) -> PaymentEnvironment? {
        get { hosts[name] }
        set { hosts[name] = newValue }
    }
}
