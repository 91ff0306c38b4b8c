import Alipay
package import AsyncHTTPClient
package import BillfoldDiagnosis
import BillfoldStorage
import BillfoldTrace
import Foundation
package import Hummingbird

/// The merchant of the journey "pay an express order", put together: its server, and its app on phones in software.
package struct PlayedAlipayMerchant: Sendable {
    /// Where the other parties are: origins without a path.
    package struct Configuration: Sendable {
        package var gateway: String
        /// As the customer's browser reaches it.
        package var wallet: String
        /// The merchant's own origin, as the gateway and the app reach it.
        package var merchant: String
        /// The console's origin; nil without one.
        package var console: String?
        /// What the merchant registers itself with.
        package var onboardingKey: Secret<String>

        package init(gateway: String, wallet: String, merchant: String, console: String?, onboardingKey: Secret<String>) {
            self.gateway = gateway
            self.wallet = wallet
            self.merchant = merchant
            self.console = console
            self.onboardingKey = onboardingKey
        }
    }

    package let merchantRoutes: ExpressMerchantRoutes
    package let shopRoutes: ExpressShopRoutes
    package let races: ClosingRaces

    /// - Parameters:
    ///   - keys: Where the merchant's private keys lie; made when they are first needed.
    ///   - client: Must not follow redirects.
    package init(_ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, client: HTTPClient) async {
        await self.init(
            configuration, keys: keys, surroundings: surroundings, client: client,
            gateway: HTTPMerchantConnection(origin: configuration.gateway, client: client),
            merchant: HTTPMerchantConnection(origin: configuration.merchant, client: client))
    }

    /// - Parameters:
    ///   - gateway: Leads to the gateway's origin.
    ///   - merchant: Leads to the merchant's own, for the app.
    package init(
        _ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, client: HTTPClient,
        gateway: any MerchantConnection, merchant: any MerchantConnection
    ) async {
        let expressKeys = ExpressKeys(keys)
        let reporter = surroundings.reporter
        let registration = OrderGatewayRegistration(
            keys: expressKeys, line: PartyLine(from: .merchant, to: .gateway, connection: gateway, reporter: reporter),
            credential: configuration.onboardingKey.reveal(), notifyOrigin: configuration.merchant)
        let notifyURL = configuration.merchant + "/alipay-merchant/notify"
        let clock = surroundings.clock
        let (numbers, races) = AsyncStream.makeStream(of: String.self)
        let service = ExpressMerchantService(
            surroundings: surroundings, registration: registration, maker: ExpressOrderMaker(keys: expressKeys, notifyURL: notifyURL),
            calls: OrderGatewayCalls(
                keys: expressKeys, registration: registration, connection: gateway, reporter: reporter, notifyURL: notifyURL,
                origin: configuration.gateway, now: { clock.now().microseconds / 1_000 }), races: races)
        let console = configuration.console
        let phones = await ExpressPhoneDirectory(
            surroundings: ExpressSurroundings(
                merchant: merchant, wallet: configuration.wallet, cashier: HTTPCashierDoor(origin: configuration.wallet, client: client),
                reporter: reporter, story: { order in console.map { "\($0)/stories/\(ExpressTrace.order):\(order)" } }))
        merchantRoutes = ExpressMerchantRoutes(service: service)
        shopRoutes = ExpressShopRoutes(directory: phones, service: service, pages: ExpressPages(console: console))
        self.races = ClosingRaces(numbers: numbers, service: service)
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        merchantRoutes.addRoutes(to: router)
        shopRoutes.addRoutes(to: router)
    }
}
