import AlipayServer
import ArgumentParser
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import CardPaymentsServer
import Foundation

extension ServerRole {
    /// The order gateway.
    static let alipayGateway: Self = "alipay-gateway"
}

extension StoreKind {
    static let alipayGateway = Self(
        name: "alipay-gateway", owner: "the order gateway", own: AlipayServer.migrations, check: { AlipayServer.check(links: $0) })
}

/// The order gateway on the public listener.
struct AlipayGatewayCapability: ServerCapability, ParsableArguments {
    static let role = ServerRole.alipayGateway
    static let journey: Journey? = .expressOrder
    static let stores = [StoreKind.alipayGateway]
    /// Its store in the data folder: not the other servers', whose outboxes have other messages.
    static let fileName = "alipay-gateway.sqlite"
    static let databaseVariable = "BILLFOLD_ALIPAY_DATABASE"
    static let wallet = "ALIPAY_CN"
    /// What merchants of the sandbox register themselves with.
    static let onboardingKey = "alipay-onboarding.key"

    @Option(
        help: "The order gateway's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_ALIPAY_DATABASE, then a file."
    )
    var alipayGatewayDatabase: String?
    @Option(help: "The order gateway's merchants and wallets, JSON. Default in test mode: the sandbox's, who register themselves.")
    var alipay: String?
    @Option(name: .customLong("alipay-gateway-url"), help: "The order gateway, when it runs in another process.") var url: String?

    func guides(in process: ServingProcess) throws -> [ConnectGuide] {
        guard alipay == nil else { return [] }
        return [
            .expressMerchant(
                gateway: process.addresses[.alipayGateway].pages, cashier: process.addresses[.wallet].pages + "/cashier",
                key: try process.folder.bearer(Self.onboardingKey))
        ]
    }

    func judgeFiles(for configuration: ServerConfiguration) throws {
        guard configuration.roles.contains(Self.role) else { return }
        _ = try AlipayGatewayInstallation.files(alipay, in: configuration.mode)
    }

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        let surroundings = process.surroundings
        let loaded = try AlipayGatewayInstallation(process: process, file: alipay).load()
        try loaded.configuration.validate()
        let database = try await process.store(
            .alipayGateway, at: Self.named(alipayGatewayDatabase), file: Self.fileName, flag: "--alipay-gateway-database")
        let store = surroundings.watch(database, named: "alipay gateway database")
        let server = try AlipayServer(
            configuration: loaded.configuration, database: database, http: process.sender,
            addresses: try AddressPolicy(mode: process.mode), trace: process.trace, identifiers: .system, surroundings: surroundings)
        for merchant in loaded.merchants { _ = try await server.onboarding.register(merchant) }
        if let rates = loaded.rates { try await server.rates.publish(rates) }
        var part = CapabilityPart()
        part.routes = [{ server.addRoutes(to: $0) }]
        part.errors = { $0.withAlipay() }
        part.drainedBodies = AlipayServer.drainedBodies
        part.workers = server.workers + [store]
        if let file = loaded.rateFile { part.workers.append(RateWatch(server) { try ConfigurationFile.bytes(file) }) }
        var console = ConsoleShare()
        (console.desks, console.notices, console.actions) = ([OrderGatewayConsole(server.backOffice)], [server.notices], server.actions.all)
        part.console = console
        return part
    }
}

/// The gateway that a process runs: that of the gateway's file, or in test mode without one the sandbox's, whose merchants register
/// themselves.
struct AlipayGatewayInstallation {
    let process: ServingProcess
    /// The gateway's file.
    let file: String?

    struct Loaded {
        var configuration: AlipayServerConfiguration
        var merchants: [MerchantWish] = []
        var rates: RateFile?
        /// Where the rates come from.
        var rateFile: String?
    }

    func load() throws -> Loaded {
        if let files = try Self.files(file, in: process.mode) { return try load(files) }
        var configuration = AlipayServerConfiguration(
            mode: .test, keys: try AlipayGatewayKeys.load(process.folder, at: process.surroundings.clock.now()),
            wallets: [
                .init(
                    id: AlipayGatewayCapability.wallet, origin: process.addresses[.wallet].origin,
                    bearer: try process.folder.bearer("wallet-link.key"),
                    credential: try process.folder.bearer("gateway-link.key"))
            ], origin: process.addresses[.alipayGateway].origin)
        configuration.onboardingKey = try process.folder.bearer(AlipayGatewayCapability.onboardingKey)
        configuration.clientsClock = SystemClock()
        return Loaded(configuration: configuration, rates: try sandboxRates())
    }

    /// Rates that hold from the beginning of time, until a merchant's test publishes others.
    private func sandboxRates() throws -> RateFile {
        try RateFile(
            ["HKD|0.9123", "USD|7.1012", "EUR|7.7031", "GBP|9.2210", "JPY|0.0479", "SGD|5.3120"]
                .map { "20260101|090000|\($0)\n" }.joined())
    }

    /// What the gateway's file says, and the files that it names.
    struct Files {
        var file: AlipayGatewayFile
        var wallets: [AlipayServerConfiguration.Wallet]
        var rates: RateFile?
        var rateFile: String?
    }

    /// Nil without a file in test mode. Refuses with `configuration-invalid`.
    static func files(_ path: String?, in mode: ServerMode) throws -> Files? {
        guard let path else {
            guard mode == .test else { throw CommandFailure.invalid("production needs --alipay FILE for the role alipay-gateway") }
            return nil
        }
        let base = URL(fileURLWithPath: path).deletingLastPathComponent()
        func place(_ name: String) -> String { URL(fileURLWithPath: name, relativeTo: base).path }
        func secret(_ name: String) throws -> Secret<String> { try ConfigurationFile.secret(place(name)) }
        let file = try ConfigurationFile.read(path) {
            try AlipayGatewayFile($0, currencies: AlipayServerConfiguration.standardCurrencies, mode: mode, secret: secret)
        }
        let rateFile = file.rates.map(place)
        return Files(
            file: file,
            wallets: try file.wallets.map {
                .init(id: $0.id, origin: $0.origin, bearer: try secret($0.key), credential: try secret($0.credential))
            },
            rates: try rateFile.map { try RateFile(String(decoding: ConfigurationFile.bytes($0), as: UTF8.self)) }, rateFile: rateFile)
    }

    private func load(_ files: Files) throws -> Loaded {
        let configuration = AlipayServerConfiguration(
            mode: process.mode, keys: try AlipayGatewayKeys.load(process.folder, at: process.surroundings.clock.now()),
            wallets: files.wallets, origin: files.file.origin)
        return Loaded(configuration: configuration, merchants: files.file.merchants, rates: files.rates, rateFile: files.rateFile)
    }
}
