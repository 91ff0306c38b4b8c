import AlipayPlus
package import AsyncHTTPClient
package import BillfoldDiagnosis
import BillfoldStorage
import BillfoldTrace
import Foundation
package import Hummingbird
import ServiceLifecycle

/// The acquirer of the journey "pay through a payment sheet of many wallets", put together: its server, and its merchant's app and till.
package struct AlipayPlusAcquirer: Sendable {
    /// Where the other parties are: origins without a path.
    package struct Configuration: Sendable {
        package var gateway: String
        /// The gateway as phones and browsers reach it.
        package var sheets: String
        /// The acquirer's own, as the gateway and the app's server reach it.
        package var acquirer: String
        /// The merchant's pages, as browsers reach them.
        package var shop: String
        /// The wallets' pages, as browsers reach them, by `paymentMethodType`.
        package var walletPages: @Sendable (_ type: String) -> String?
        /// The console's origin; nil without one.
        package var console: String?
        /// What the acquirer registers itself with.
        package var onboardingKey: Secret<String>

        package init(
            gateway: String, sheets: String, acquirer: String, shop: String, walletPages: @escaping @Sendable (_ type: String) -> String?,
            console: String?, onboardingKey: Secret<String>
        ) {
            self.gateway = gateway
            self.sheets = sheets
            self.acquirer = acquirer
            self.shop = shop
            self.walletPages = walletPages
            self.console = console
            self.onboardingKey = onboardingKey
        }
    }

    let service: AlipayPlusAcquirerService
    private let routes: AcquirerRoutes
    private let shopRoutes: PlusShopRoutes
    /// Runs beside the listener.
    package let worker: AcquirerWorker

    /// - Parameters:
    ///   - keys: Where the acquirer's private key lies; made when it is first needed.
    ///   - surroundings: A store that no other party uses.
    ///   - client: Must not follow redirects.
    package init(_ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, client: HTTPClient) async throws {
        try await self.init(
            configuration, keys: keys, surroundings: surroundings,
            onboarding: HTTPMerchantConnection(origin: configuration.gateway, client: client),
            gateway: HTTPAlipayPlusConnection(origin: configuration.gateway, client: client),
            options: HTTPAlipayPlusConnection(origin: configuration.sheets, client: client),
            own: HTTPMerchantConnection(origin: configuration.acquirer, client: client))
    }

    /// - Parameters:
    ///   - onboarding: Leads to the gateway's origin, for the registration.
    ///   - gateway: Leads there for signed calls.
    ///   - options: Leads there for the app's payment options.
    ///   - own: Leads to the acquirer's own origin, for the app.
    package init(
        _ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, onboarding: any MerchantConnection,
        gateway: any AlipayPlusConnection, options: any AlipayPlusConnection, own: any MerchantConnection
    ) async throws {
        let identity = try AlipayPlusIdentity(clientID: AcquirerContract.clientID, keys: keys)
        let (acquirer, shop) = (configuration.acquirer, configuration.shop)
        let registration = AlipayPlusRegistration(
            side: "acquirers",
            line: PartyLine(from: .acquirer, to: .alipayPlus, connection: onboarding, reporter: surroundings.reporter),
            credential: configuration.onboardingKey.reveal(),
            wish: { AcquirerContract.wish(identity, origin: acquirer, shop: shop) })
        service = AlipayPlusAcquirerService(
            surroundings: surroundings,
            line: AlipayPlusLine(
                party: .acquirer, identity: identity, registration: registration, connection: gateway, surroundings: surroundings),
            origin: acquirer, shop: shop)
        routes = AcquirerRoutes(
            service: service,
            intake: AlipayPlusIntake(party: .acquirer, identity: identity, registration: registration, surroundings: surroundings))
        let console = configuration.console
        let directory = await PlusPhoneDirectory(
            surroundings: PlusSurroundings(
                acquirer: own, options: options, gateway: configuration.sheets, walletPages: configuration.walletPages,
                reporter: surroundings.reporter,
                story: { request in console.map { "\($0)/stories/\(AlipayPlusTrace.request):\(request)" } }))
        shopRoutes = PlusShopRoutes(
            directory: directory, service: service, pages: PlusPages(gateway: configuration.sheets, console: console))
        worker = AcquirerWorker(service: service)
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        routes.addRoutes(to: router)
        shopRoutes.addRoutes(to: router)
    }
}

/// Registers the acquirer, and asks for payments of which nobody has told.
package struct AcquirerWorker: Service {
    let service: AlipayPlusAcquirerService
    var interval = Duration.milliseconds(200)

    package func run() async throws {
        await PartyWork.run(every: interval, logger: service.surroundings.logger, failure: "the acquirer's work could not be done") {
            _ = try await service.line.registration.gatewayKeys()
            return try await runOnce()
        }
    }

    /// Asks for what is due now, each once, and returns how much that was.
    @discardableResult
    package func runOnce() async throws -> Int { try await service.pollDue() }
}
