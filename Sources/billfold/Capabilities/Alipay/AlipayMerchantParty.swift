import AlipayServer
import ArgumentParser
import BillfoldSandbox
import BillfoldServer
import BillfoldWeb

extension ServerRole {
    /// The merchant of express orders: its server, and its app on phones.
    static let alipayMerchant: Self = "alipay-merchant"
}

/// The merchant of express orders: its server and its app, on a store and with keys of their own. It shares the onboarding key with the
/// gateway through the data folder.
struct AlipayMerchantParty: SandboxParty, ParsableArguments {
    static let role = ServerRole.alipayMerchant
    static let stores = [StoreKind.sandboxParty]
    static let start: Start? = (Journey.expressOrder.slug, "/alipay-shop/", "Open the tea house’s app")
    /// The wallet's page leads to the app's by its address, which holds a whole order, percent-encoded twice.
    private static let longestAddress = 131_072

    @Option(name: .customLong("alipay-merchant-url"), help: "The merchant of express orders, when it runs in another process.")
    var url: String?

    func play(in process: ServingProcess, adding part: inout CapabilityPart) async throws {
        let addresses = process.addresses
        let merchant = await PlayedAlipayMerchant(
            .init(
                gateway: addresses[.alipayGateway].origin, wallet: addresses[.wallet].origin, merchant: addresses[.alipayMerchant].origin,
                console: addresses[.console].origin, onboardingKey: try process.folder.bearer(AlipayGatewayCapability.onboardingKey)),
            keys: process.partyKeys("alipay-merchant"), surroundings: try await process.partySurroundings("alipay-merchant.sqlite"),
            client: process.partyClient)
        part.routes.append { merchant.addRoutes(to: $0) }
        part.longestAddress = Self.longestAddress
        part.workers.append(merchant.races)
        try part.addSandboxAssets()
    }
}
