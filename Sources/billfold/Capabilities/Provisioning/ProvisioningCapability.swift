import ArgumentParser
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import CardPaymentsServer
import ProvisioningServer

extension ServerRole {
    /// The issuer's host.
    static let provisioning: Self = "provisioning"
}

extension StoreKind {
    static let issuer = Self(
        name: "issuer", owner: "the issuer's host", own: ProvisioningServer.migrations, check: { ProvisioningServer.check(links: $0) })
}

/// The issuer's host for provisioning on the public listener.
struct ProvisioningCapability: ServerCapability, ParsableArguments {
    static let role = ServerRole.provisioning
    static let journey: Journey? = .provisionCard
    static let stores = [StoreKind.issuer]
    /// Its store in the data folder: not the merchants', whose outbox has other messages.
    static let fileName = "issuer.sqlite"
    static let databaseVariable = "BILLFOLD_ISSUER_DATABASE"

    @Option(
        help: "The issuer host's store: a SQLite file, or a PostgreSQL connection string. Default: BILLFOLD_ISSUER_DATABASE, then a file.")
    var issuerDatabase: String?
    @Option(help: "The bank to provision cards for, JSON; see docs/production.md. Default in test mode: the sandbox's.")
    var issuer: String?
    @Option(name: .customLong("issuer-url"), help: "The issuer's host for provisioning, when it runs in another process.") var url: String?

    func guides(in process: ServingProcess) throws -> [ConnectGuide] {
        guard issuer == nil else { return [] }
        return [
            .bank(
                host: process.addresses[.provisioning].origin, key: try IssuerInstallation.bankKey(in: process.folder),
                broker: process.addresses[.broker].origin, app: process.addresses[.bankApp].pages + "/bank")
        ]
    }

    func judgeFiles(for configuration: ServerConfiguration) throws {
        guard configuration.roles.contains(Self.role) else { return }
        _ = try IssuerInstallation.disk(issuer, in: configuration.mode)
    }

    func part(of process: ServingProcess) async throws -> CapabilityPart {
        let surroundings = process.surroundings
        let database = try await process.store(
            .issuer, at: Self.named(issuerDatabase), file: Self.fileName, flag: "--issuer-database")
        let store = surroundings.watch(database, named: "issuer database")
        let loaded = try await IssuerInstallation(process: process, file: issuer).load()
        let server = try ProvisioningServer(
            configuration: loaded.configuration, database: database, cardSource: loaded.cards, http: process.sender,
            trace: process.trace, identifiers: .system, surroundings: surroundings)
        try await server.callerKeys.replace(with: loaded.callers)
        var part = CapabilityPart()
        part.routes = [{ server.addRoutes(to: $0) }]
        part.errors = { $0.withProvisioning() }
        part.workers = server.workers + [store]
        if let keys = loaded.keys {
            part.workers.append(
                IssuerKeyWatch(
                    keys: keys.source, loaded: keys.state, server: server, metrics: surroundings.metrics, logger: surroundings.logger))
        }
        var console = ConsoleShare()
        console.desks = server.desk.map { [ProvisioningConsole($0)] } ?? []
        console.notices = server.tokens.map { [$0.notices] } ?? []
        console.actions = server.tokens?.actions.all ?? [:]
        console.events = server.tokens.map { [$0.backOffice.events] } ?? []
        console.chains = (database, [server.issuer])
        part.console = console
        return part
    }
}
