import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb
import CardPaymentsServer
import HTTPTypes
import Hummingbird

extension ServerRole {
    static let shop: Self = "shop"
}

/// The merchant's shop front. It shares the API key with the merchant's server through the data folder.
struct ShopParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.shop
    static let mayNameItself = true
    static let start: Start? = (Journey.acceptApplePay.slug, "/shop", "Open the shop")

    @Option(name: .customLong("shop-url"), help: "The shop, when it runs in another process.") var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let shop = Shop(
            merchant: process.connection(to: addresses[.cardPayments].origin), apiKey: try MerchantInstallation.apiKey(in: process.folder),
            reporter: process.reporter)
        part.routes.append { router in
            ShopRoutes(
                shop: shop, console: addresses[.console].origin,
                client: addresses[.unionPay].pages.isEmpty ? nil : addresses[.unionPay].pages + "/unionpay/pay",
                makeName: process.reporter.makeName
            ).addRoutes(to: router)
            router.get("/") { _, _ in Response(status: .seeOther, headers: [.location: "/shop/"]) }
        }
        part.announcements.append("shop:    \(addresses[.shop].origin)/shop")
        try part.addSandboxAssets()
    }
}
