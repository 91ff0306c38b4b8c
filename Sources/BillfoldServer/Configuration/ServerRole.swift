import HTTPTypes

/// One part of Billfold that a process runs, for example `card-payments` or `console`.
package struct ServerRole: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }
    package var description: String { rawValue }

    package static let cardPayments: Self = "card-payments"
    /// The issuer's host.
    package static let provisioning: Self = "provisioning"
    /// A wallet's app and its cashier.
    package static let wallet: Self = "wallet"
    /// The order gateway.
    package static let alipayGateway: Self = "alipay-gateway"
    /// The acquiring gateway of Alipay+ and its payment sheet.
    package static let alipayPlus: Self = "alipay-plus"
    package static let console: Self = "console"
    package static let phone: Self = "phone"
    package static let shop: Self = "shop"
    package static let unionPay: Self = "unionpay"
    package static let certificates: Self = "certificates"

    package static let broker: Self = "broker"
    package static let cardNetwork: Self = "card-network"
    package static let cardProcessor: Self = "card-processor"
    package static let bankApp: Self = "bank-app"
    /// The merchant of express orders: its server, and its app on phones.
    package static let alipayMerchant: Self = "alipay-merchant"
    /// The wallets of the payment sheet.
    package static let mobileWallets: Self = "mobile-wallets"
    /// The acquirer of the payment sheet, and its merchant's app and till.
    package static let acquirer: Self = "acquirer"
    /// The author of mini programs: what publishes them, and its server.
    package static let miniProgramAuthor: Self = "mini-program-author"
    /// Phones that run the super app.
    package static let superApp: Self = "super-app"

    /// The parties that others operate, played in test mode.
    package static let sandbox: [Self] = [
        .phone, .shop, .unionPay, .certificates, .broker, .cardNetwork, .cardProcessor, .bankApp, .alipayMerchant, .mobileWallets,
        .acquirer, .miniProgramAuthor, .superApp,
    ]
    package static let all: [Self] = [.cardPayments, .provisioning, .alipayGateway, .alipayPlus, .wallet, .console] + sandbox

    /// Reads a comma-separated list, refusing a name that no part has.
    package static func list(_ text: String) throws(ServerError) -> Set<Self> {
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
