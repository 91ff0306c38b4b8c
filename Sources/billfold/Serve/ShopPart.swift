import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldSandbox
import BillfoldServer
import HTTPTypes
import Hummingbird

/// The merchant's shop front. It shares the API key with the merchant's server through the data folder.
enum ShopPart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared) throws {
        let addresses = shared.options.addresses
        let key = try MerchantInstallation.apiKey(in: shared.folder)
        let shop = Shop(
            merchant: HTTPMerchantConnection(origin: addresses.merchant, client: .shared), apiKey: key,
            reporter: SandboxPart.reporter(shared))
        ShopRoutes(shop: shop, console: addresses.console).addRoutes(to: router)
        router.get("/") { _, _ in Response(status: .seeOther, headers: [.location: "/shop/"]) }
    }
}
