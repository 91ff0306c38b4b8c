import ArgumentParser
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import CardPaymentsServer
import Crypto
import PaymentCrypto

extension ServerRole {
    static let cardPayments: Self = "card-payments"
}

extension StoreKind {
    static let cards = Self(
        name: "cards", owner: "the card-payments server and the console's operators",
        own: CardPaymentsServer.migrations + OperatorRecords.migrations, check: { CardPaymentsServer.check(links: $0) })
}

/// The merchants' card-payments server on the public listener. Its store is the installation's main one.
struct CardPaymentsCapability: ServerCapability, ParsableArguments {
    static let role = ServerRole.cardPayments
    static let journey: Journey? = .acceptApplePay
    static let stores = [StoreKind.cards]
    static let mayNameItself = true
    static let databaseVariable = "BILLFOLD_DATABASE"

    @Option(help: "The merchants to serve, JSON; see docs/production.md. Default in test mode: the sandbox's.") var merchants: String?
    @Option(name: .customLong("merchant-url"), help: "The card-payments server, when it runs in another process.") var url: String?
    @Option(help: "In test mode, the HTTPS origin that gives web merchant sessions.") var applePayURL: String?

    func judgeFiles(for configuration: ServerConfiguration) throws {
        let isShown = merchants != nil && configuration.roles.contains(.console)
        guard isShown || configuration.roles.contains(Self.role) else { return }
        _ = try MerchantInstallation.file(merchants, in: configuration.mode)
    }

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        let surroundings = process.surroundings
        let database = try await process.openMainStore(.cards)
        let store = surroundings.watch(database, named: "database")
        let installation = try installation(process)
        let keys = try await installation.load()
        let loaded = try keys.map { try $0.store.keys }
        let dates = process.dates
        let server = try CardPaymentsServer(
            configuration: try await configuration(
                process, installation, merchants: keys.map { try $0.profile(at: dates(), logger: surroundings.logger) }),
            database: database, http: process.sender, trace: process.trace, identifiers: .system, surroundings: surroundings)
        if process.mode == .test, let merchant = installation.file.merchants.first {
            try await server.service.register(
                apiKey: MerchantInstallation.apiKey(in: process.folder), merchant: merchant.id, label: "shop")
        }
        if process.mode == .test, merchants == nil, let certificate = try keys.first?.signingCertificate() {
            // The gateway may be a new one, and the certificate too.
            for own in try await server.service.recallOwnMerchants() {
                try await UnionPayGatewayRegistration(process: process).register(own, certificate: certificate.pem)
            }
        }
        let watch = KeyWatch(
            keys: keys, loaded: loaded, service: server.service, dates: dates, metrics: surroundings.metrics, logger: surroundings.logger)
        var part = CapabilityPart()
        part.routes = [{ server.addRoutes(to: $0) }]
        part.errors = { $0.withCardPayments() }
        part.hosts = Set(installation.file.merchants.flatMap(\.domains))
        part.workers = server.workers + [watch, store]
        part.announcements = ["API:     \(process.addresses[.cardPayments].origin)/   described in docs/openapi"]
        var console = Self.share(server.backOffice, database)
        console.notices = [server.notices]
        console.actions = CardPaymentsActions(server: server, links: try process.folder.auditChain()).all
        part.console = console
        return part
    }

    func guides(in process: ServingProcess) throws -> [ConnectGuide] {
        guard merchants == nil else { return [] }
        return [
            .cardMerchant(
                server: process.addresses[.cardPayments].origin, key: try MerchantInstallation.apiKey(in: process.folder),
                payPage: process.addresses[.unionPay].pages + "/unionpay/pay")
        ]
    }

    func share(of process: ServingProcess, readFrom store: OpenStores.Store) throws -> ConsoleShare? {
        guard merchants != nil || process.mode == .test else { return nil }
        let office = CardPaymentsBackOffice(
            database: store, merchants: try installation(process).file.merchants.map(\.id),
            takesOwnMerchants: process.mode == .test && merchants == nil, clock: process.surroundings.clock,
            links: try process.folder.auditChain(), follower: PaymentEvents(identifiers: .system))
        return Self.share(office, store)
    }

    private static func share(_ office: CardPaymentsBackOffice, _ store: OpenStores.Store) -> ConsoleShare {
        var share = ConsoleShare()
        (share.desks, share.mainStore, share.events) = ([office], store, [office.events(identifiers: .system)])
        share.chains = (store, office.merchants)
        return share
    }

    private func installation(_ process: ServingProcess) throws -> MerchantInstallation {
        try MerchantInstallation(process, file: merchants, givesSessions: applePayURL != nil)
    }

    private func configuration(
        _ process: ServingProcess, _ installation: MerchantInstallation, merchants: [MerchantProfile]
    ) async throws -> CardPaymentsConfiguration {
        let folder = process.folder
        var configuration = CardPaymentsConfiguration(
            mode: process.mode, merchants: merchants, tokenTrust: try await installation.tokenTrust(),
            endpoints: installation.endpoints,
            keys: .init(
                audit: SymmetricKey(data: try folder.symmetric("audit").reveal()),
                hashing: SymmetricKey(data: try folder.symmetric("hashing").reveal()), sealer: try folder.sealer()))
        configuration.testSessionOrigin = applePayURL
        configuration.takesOwnMerchants = process.mode == .test && self.merchants == nil
        return configuration
    }
}
