import AlipayPlusServer
import AlipayPlusValues
import ArgumentParser
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb

extension ServerRole {
    /// The acquiring gateway of Alipay+ and its payment sheet.
    static let alipayPlus: Self = "alipay-plus"
}

extension StoreKind {
    static let alipayPlus = Self(
        name: "alipay-plus", owner: "the acquiring gateway", own: AlipayPlusServer.migrations,
        check: { AlipayPlusServer.check(links: $0) })
}

/// The acquiring gateway of Alipay+ and its payment sheet on the public listener.
struct AlipayPlusCapability: ServerCapability, ParsableArguments {
    static let role = ServerRole.alipayPlus
    static let journey: Journey? = .paymentSheet
    static let stores = [StoreKind.alipayPlus]
    /// Its store in the data folder: not the other servers', whose outboxes have other messages.
    static let fileName = "alipay-plus.sqlite"
    static let databaseVariable = "BILLFOLD_ALIPAY_PLUS_DATABASE"
    /// What acquirers and wallets of the sandbox register themselves with.
    static let onboardingKey = "alipay-plus-onboarding.key"

    @Option(
        help:
            "The acquiring gateway's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_ALIPAY_PLUS_DATABASE, then a file."
    )
    var alipayPlusDatabase: String?
    @Option(help: "The acquiring gateway's acquirers and wallets, JSON. Default in test mode: the sandbox's, who register themselves.")
    var alipayPlus: String?
    @Option(name: .customLong("alipay-plus-url"), help: "The acquiring gateway, when it runs in another process.") var url: String?
    @Option(help: "The same as phones and browsers reach it. Default: --alipay-plus-url.") var alipayPlusPagesURL: String?

    func address(standard: String) throws -> CapabilityAddress { CapabilityAddress(url ?? standard, pages: alipayPlusPagesURL) }

    func guides(in process: ServingProcess) throws -> [ConnectGuide] {
        guard alipayPlus == nil else { return [] }
        return [.acquirer(gateway: process.addresses[.alipayPlus].origin, key: try process.folder.bearer(Self.onboardingKey))]
    }

    func judgeFiles(for configuration: ServerConfiguration) throws {
        guard configuration.roles.contains(Self.role) else { return }
        _ = try file(in: configuration.mode)
    }

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        let surroundings = process.surroundings
        let loaded = try load(process)
        try loaded.configuration.validate()
        let database = try await process.store(
            .alipayPlus, at: Self.named(alipayPlusDatabase), file: Self.fileName, flag: "--alipay-plus-database")
        let server = try AlipayPlusServer(
            configuration: loaded.configuration, database: database, http: process.sender,
            addresses: try AddressPolicy(mode: process.mode), trace: process.trace, identifiers: .system, surroundings: surroundings)
        let store = surroundings.watch(database, named: "alipay plus database")
        for acquirer in loaded.file?.acquirers ?? [] { _ = try await server.onboarding.register(acquirer) }
        for wallet in loaded.file?.wallets ?? [] { _ = try await server.onboarding.register(wallet) }
        if let rates = loaded.rates { try await server.quotes.publish(rates) }
        var part = CapabilityPart()
        part.routes = [{ server.addRoutes(to: $0) }]
        part.errors = { $0.withAlipayPlus() }
        part.workers = server.workers + [store]
        var console = ConsoleShare()
        (console.desks, console.notices, console.actions) = ([AcquiringConsole(server.backOffice)], [server.notices], server.actions.all)
        part.console = console
        return part
    }

    private struct Loaded {
        var configuration: AlipayPlusServerConfiguration
        var file: AlipayPlusFile?
        var rates: AlipayPlusFile.Rates?
    }

    /// The gateway of the file, or in test mode without one the sandbox's, whose parties register themselves.
    private func load(_ process: ServingProcess) throws -> Loaded {
        var configuration = AlipayPlusServerConfiguration(
            mode: process.mode, keys: try AlipayPlusKeys.load(process.folder), origin: process.addresses[.alipayPlus].origin)
        if let file = try file(in: process.mode) {
            configuration.origin = file.origin
            if let codes = file.codes {
                (configuration.codeHost, configuration.codeGiven, configuration.codeChosen) = (codes.host, codes.given, codes.chosen)
            }
            return Loaded(configuration: configuration, file: file, rates: file.rates)
        }
        configuration.onboardingKey = try process.folder.bearer(Self.onboardingKey)
        configuration.clientsClock = SystemClock()
        return Loaded(configuration: configuration, rates: Self.sandboxRates)
    }

    /// The gateway's file; `nil` without one in test mode. Refuses with `configuration-invalid`.
    private func file(in mode: ServerMode) throws -> AlipayPlusFile? {
        if let path = alipayPlus { return try ConfigurationFile.read(path) { try AlipayPlusFile($0) } }
        guard mode == .test else { throw CommandFailure.invalid("production needs --alipay-plus FILE for the role alipay-plus") }
        return nil
    }

    /// Rates that hold from the beginning of time, until a test publishes others.
    private static let sandboxRates = AlipayPlusFile.Rates(
        since: AlipayPlusTime(millisecondsSince1970: 0),
        perDollar: [
            .cny: "7.1234", .hkd: "7.7812", .php: "58.71", .krw: "1385.5", .idr: "15925", .sgd: "1.3475", .jpy: "151.2", .thb: "33.41",
            .myr: "4.215", .eur: "0.9241", .gbp: "0.7812",
        ])
}
