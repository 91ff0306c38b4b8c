import HTTPTypes

/// One part of Billfold that a process runs, for example `card-payments` or `console`.
public struct ServerRole: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }

    public static let cardPayments: Self = "card-payments"
    /// The issuer's host.
    public static let provisioning: Self = "provisioning"
    /// A wallet's app and its cashier.
    public static let wallet: Self = "wallet"
    /// The order gateway.
    public static let alipayGateway: Self = "alipay-gateway"
    /// The acquiring gateway of Alipay+ and its payment sheet.
    public static let alipayPlus: Self = "alipay-plus"
    public static let console: Self = "console"
    public static let phone: Self = "phone"
    public static let shop: Self = "shop"
    public static let unionPay: Self = "unionpay"
    public static let certificates: Self = "certificates"

    public static let broker: Self = "broker"
    public static let cardNetwork: Self = "card-network"
    public static let cardProcessor: Self = "card-processor"
    public static let bankApp: Self = "bank-app"
    /// The merchant of express orders: its server, and its app on phones.
    public static let alipayMerchant: Self = "alipay-merchant"
    /// The wallets of the payment sheet.
    public static let mobileWallets: Self = "mobile-wallets"
    /// The acquirer of the payment sheet, and its merchant's app and till.
    public static let acquirer: Self = "acquirer"
    /// The author of mini programs: what publishes them, and its server.
    public static let miniProgramAuthor: Self = "mini-program-author"
    /// Phones that run the super app.
    public static let superApp: Self = "super-app"

    /// The parties that others operate, played in test mode.
    public static let sandbox: [Self] = [
        .phone, .shop, .unionPay, .certificates, .broker, .cardNetwork, .cardProcessor, .bankApp, .alipayMerchant, .mobileWallets,
        .acquirer, .miniProgramAuthor, .superApp,
    ]
    public static let all: [Self] = [.cardPayments, .provisioning, .alipayGateway, .alipayPlus, .wallet, .console] + sandbox

    /// Reads a comma-separated list, refusing a name that no part has.
    public static func list(_ text: String) throws(ServerError) -> Set<Self> {
        var roles: Set<Self> = []
        for name in text.split(separator: ",") {
            let role = Self(rawValue: name.trimmingPrefix { $0 == " " }.lowercased())
            guard all.contains(role) else {
                throw ServerError(
                    code: .configurationInvalid,
                    reason: "'\(name)' is not a role; the roles are \(all.map(\.rawValue).joined(separator: ", "))",
                    status: .internalServerError)
            }
            roles.insert(role)
        }
        guard !roles.isEmpty else {
            throw ServerError(code: .configurationInvalid, reason: "no role was named", status: .internalServerError)
        }
        return roles
    }
}
