package import ApplePayApp
package import BillfoldDiagnosis
import HTTPTypes
package import Hummingbird
package import PassKitSimulator

/// The customer's side of the sandbox put together: the shop, the phones, and the files their pages load.
package struct Storefront: Sendable {
    /// Where the other parties are.
    package struct Configuration: Sendable {
        /// The shop's API key at the merchant's server.
        package var apiKey: Secret<String>
        /// The console's origin, such as `http://127.0.0.1:8081`; nil without one.
        package var console: String?
        package var catalogue = Catalogue.teaHouse
        package var checkout = CheckoutConfiguration()

        package init(apiKey: Secret<String>, console: String? = nil) {
            self.apiKey = apiKey
            self.console = console
        }
    }

    package let shop: Shop
    package let directory: PhoneDirectory
    private let console: String?
    private let assets: SandboxAssets
    private let makeName: @Sendable () -> String

    /// - Parameters:
    ///   - merchant: Leads to the merchant's server; the shop and the phones use it.
    ///   - wallet: Makes the tokens.
    package init(
        _ configuration: Configuration, merchant: any MerchantConnection, wallet: any PaymentTokenSource, reporter: PartyReporter
    ) async throws {
        assets = try SandboxAssets()
        console = configuration.console
        makeName = reporter.makeName
        shop = Shop(catalogue: configuration.catalogue, merchant: merchant, apiKey: configuration.apiKey, reporter: reporter)
        var surroundings = PhoneSurroundings(
            shop: shop, merchant: HTTPMerchantServer { try await merchant.send($0) }, wallet: wallet, reporter: reporter)
        surroundings.checkout = configuration.checkout
        if let console { surroundings.story = { "\(console)/orders/\($0)" } }
        directory = await PhoneDirectory(surroundings: surroundings)
    }

    /// Adds `/shop…`, `/phone/…` and `/assets/…`, and leads `/` to the shop.
    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        ShopRoutes(shop: shop, console: console, makeName: makeName).addRoutes(to: router)
        PhoneRoutes(directory: directory).addRoutes(to: router)
        assets.addRoutes(to: router)
        router.get("") { _, _ in Response(status: .seeOther, headers: [.location: "/shop/"]) }
    }
}
