package import AsyncHTTPClient
package import BillfoldDiagnosis
import BillfoldStorage
import BillfoldTrace
import Foundation
package import Hummingbird
package import ServiceLifecycle

/// One wallet of the journey "pay through a payment sheet of many wallets", put together: its server, and its app's pages.
package struct MobileWallet: Sendable {
    /// Where the other parties are: origins without a path.
    package struct Configuration: Sendable {
        /// `paymentMethodType`: one of ``MobileWallet/types``.
        package var type: String
        package var gateway: String
        /// The wallet's own, as the gateway and browsers reach it.
        package var origin: String
        /// The console's origin; nil without one.
        package var console: String?
        /// What the wallet registers itself with.
        package var onboardingKey: Secret<String>

        package init(type: String, gateway: String, origin: String, console: String?, onboardingKey: Secret<String>) {
            self.type = type
            self.gateway = gateway
            self.origin = origin
            self.console = console
            self.onboardingKey = onboardingKey
        }
    }

    /// The wallets that can be played.
    package static let types = MobileWalletProfile.all.map(\.type)
    /// The file, or folder, in which a wallet of a type keeps what is its own.
    package static func slug(_ type: String) -> String? { MobileWalletProfile.find(type: type)?.slug }

    let service: MobileWalletService
    let messages: MobileWalletMessages
    let pages: MobileWalletPages
    /// Runs beside the listener.
    package let worker: MobileWalletWorker

    /// - Parameters:
    ///   - keys: Where the wallet's private key lies; made when it is first needed.
    ///   - surroundings: A store that no other party uses.
    ///   - client: Must not follow redirects.
    package init(_ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, client: HTTPClient) async throws {
        try await self.init(
            configuration, keys: keys, surroundings: surroundings,
            onboarding: HTTPMerchantConnection(origin: configuration.gateway, client: client),
            gateway: HTTPAlipayPlusConnection(origin: configuration.gateway, client: client))
    }

    /// - Parameters:
    ///   - onboarding: Leads to the gateway's origin, for the registration.
    ///   - gateway: Leads there for signed calls.
    package init(
        _ configuration: Configuration, keys: PartyKeys, surroundings: PartySurroundings, onboarding: any MerchantConnection,
        gateway: any AlipayPlusConnection
    ) async throws {
        guard let profile = MobileWalletProfile.find(type: configuration.type) else {
            throw SandboxError(code: .notFound, reason: "no wallet of the sandbox is called \(configuration.type)")
        }
        let identity = try AlipayPlusIdentity(clientID: profile.clientID, keys: keys)
        let origin = configuration.origin
        let party = Party.mobileWallet(profile.type)
        let registration = AlipayPlusRegistration(
            side: "wallets", line: PartyLine(from: party, to: .alipayPlus, connection: onboarding, reporter: surroundings.reporter),
            credential: configuration.onboardingKey.reveal(), wish: { profile.wish(identity, origin: origin) })
        let line = AlipayPlusLine(
            party: party, identity: identity, registration: registration, connection: gateway, surroundings: surroundings)
        service = MobileWalletService(profile: profile, surroundings: surroundings, line: line, origin: origin)
        messages = MobileWalletMessages(
            service: service,
            intake: AlipayPlusIntake(party: party, identity: identity, registration: registration, surroundings: surroundings))
        pages = MobileWalletPages(profile: profile, console: configuration.console)
        worker = MobileWalletWorker(service: service)
        try await service.openAccounts()
    }

    /// The wallet's pages and control interface. Its API is added for all wallets of a listener together: see ``MobileWallets``.
    func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        MobileWalletRoutes(service: service, pages: pages).addRoutes(to: router)
        MobileWalletControl(service: service).addRoutes(to: router)
    }
}

/// The wallets that one listener serves. The gateway's calls come on one path for all; the client id in the header says for whom.
package struct MobileWallets: Sendable {
    package let wallets: [MobileWallet]

    package init(_ wallets: [MobileWallet]) { self.wallets = wallets }

    package var workers: [any Service] { wallets.map(\.worker) }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let byClient = Dictionary(wallets.map { ($0.service.profile.clientID, $0) }, uniquingKeysWith: { first, _ in first })
        AlipayPlusPaths.add(to: router) { request in
            guard let client = AlipayPlusPaths.clientID(of: request), let wallet = byClient[client] else {
                throw SandboxRefusal(code: "client-unknown", reason: "no wallet of that client id is played here", status: 404)
            }
            return try await wallet.messages.take(request)
        }
        let profiles = wallets.map(\.service.profile)
        router.group("wallets").add(middleware: SandboxErrors()).get("") { _, _ in
            try MobileWalletPages.index(profiles, console: wallets.first?.pages.console)
        }
        for wallet in wallets { wallet.addRoutes(to: router) }
    }
}
