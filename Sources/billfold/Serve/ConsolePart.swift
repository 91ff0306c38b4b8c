import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldWeb
import CardPaymentsServer
import Crypto
import Foundation

/// The console: stories, operators, approvals, fault plans.
enum ConsolePart {
    /// - Parameter merchant: The card-payments server of this process. Without one, and without `--database`, the console knows
    ///   stories and no books.
    static func make(
        _ shared: ServeComposition.Shared, merchant: (database: any Database, server: CardPaymentsServer)?
    ) async throws -> ServeComposition.Part {
        guard let store = shared.trace.store else {
            throw CommandFailure(.ourFault, code: "internal", reason: "the console has no stories")
        }
        let options = shared.options
        var part = ServeComposition.Part()
        let assets = try WebAssets.all().mapValues { ConsoleAsset(contentType: $0.contentType, bytes: $0.bytes) }
        var console = Console(
            store: store, pages: WebConsolePages(shopAddress: options.configuration.mode == .test ? options.addresses.shop + "/shop" : nil),
            assets: ConsoleAssets(assets))
        if options.configuration.mode == .test {
            console.faultPlans = FaultPlanRoutes(sender: shared.sender, sandbox: options.addresses.unionPay)
        }
        var database = merchant?.database
        if database == nil, options.database != nil || options.configuration.operatorsSignIn {
            let opened = try await StoreOpening.open(
                options.database, folder: shared.folder, mode: options.configuration.mode,
                migrations: CardPaymentsServer.migrations + OperatorRecords.migrations, clock: shared.surroundings.clock,
                logger: shared.surroundings.logger)
            part.closing.append { try await opened.close() }
            database = opened
        }
        if let database {
            console.desk = CardPaymentsBackOffice(
                database: database, merchants: [try BillfoldPayments.MerchantID(MerchantKeys.merchantName)],
                clock: shared.surroundings.clock)
            if options.configuration.operatorsSignIn { console.directory = try await operators(shared, database) }
        }
        let router = try console.router(options.configuration, surroundings: shared.surroundings)
        part.listeners = [Listener(options.configuration.consoleListener, router: router, logger: shared.surroundings.logger)]
        return part
    }

    /// Operators and their audit trail. An installation without operators takes its first administrator from
    /// `BILLFOLD_OPERATOR` and `BILLFOLD_OPERATOR_PASSWORD`, and does not start without one.
    private static func operators(_ shared: ServeComposition.Shared, _ database: any Database) async throws -> OperatorDirectory {
        let key = try shared.folder.secret("audit.key") { SystemRandomness.bytes(32) }
        let audit = ChainedOperatorAudit(
            links: AuditChain(key: SymmetricKey(data: key.reveal())), owner: try BillfoldPayments.MerchantID("installation"))
        let directory = try OperatorDirectory(
            database: database, clock: shared.surroundings.clock, uptime: shared.surroundings.uptime, random: SystemRandomness.source,
            audit: audit)
        if try await directory.isEmpty() {
            let environment = ProcessInfo.processInfo.environment
            guard let name = environment["BILLFOLD_OPERATOR"], let password = environment["BILLFOLD_OPERATOR_PASSWORD"] else {
                throw CommandFailure(
                    .usage, code: "configuration-invalid",
                    reason: "a console beyond loopback needs a first operator: set BILLFOLD_OPERATOR and BILLFOLD_OPERATOR_PASSWORD")
            }
            try await directory.add(name, password: Secret(password), roles: Set(OperatorRole.allCases), by: "installation")
        }
        return directory
    }
}
