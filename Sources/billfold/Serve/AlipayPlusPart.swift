import AlipayPlus
import AlipayPlusServer
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation

/// The acquiring gateway of Alipay+ and its payment sheet on the public listener.
enum AlipayPlusPart {
    /// Its store in the data folder: not the other servers', whose outboxes have other messages.
    static let fileName = "alipay-plus.sqlite"
    /// What acquirers and wallets of the sandbox register themselves with.
    static let onboardingKey = "alipay-plus-onboarding.key"

    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        let (options, surroundings) = (shared.options, shared.surroundings)
        guard options.alipayPlusDatabase == nil || options.alipayPlusDatabase != options.database else {
            throw CommandFailure(
                .usage, code: "configuration-invalid", reason: "the gateway needs a store of its own: --alipay-plus-database")
        }
        let database = try await StoreOpening.open(
            options.alipayPlusDatabase ?? shared.folder.path(fileName), folder: shared.folder, mode: options.configuration.mode,
            kind: .alipayPlus, clock: surroundings.clock, logger: surroundings.logger)
        do {
            let loaded = try load(shared)
            let server = try AlipayPlusServer(
                configuration: loaded.configuration, database: database, http: shared.sender,
                addresses: try AddressPolicy(mode: options.configuration.mode), trace: shared.trace.buffer,
                identifiers: .system, surroundings: surroundings)
            let store = surroundings.watch(database, named: "alipay plus database", reading: AlipayPlusServer.probe)
            for acquirer in loaded.file?.acquirers ?? [] { _ = try await server.onboarding.register(acquirer) }
            for wallet in loaded.file?.wallets ?? [] { _ = try await server.onboarding.register(wallet) }
            if let rates = loaded.rates { try await server.quotes.publish(rates) }
            return ServeComposition.Part(
                publicRoutes: [{ router in server.addRoutes(to: router) }], errors: { $0.withAlipayPlus() },
                workers: server.workers + [store],
                closing: [{ try await database.close() }],
                console: .init(desks: [AcquiringConsole(server.backOffice)], notices: [server.notices], actions: server.actions.all))
        } catch {
            try? await database.close()
            throw error
        }
    }

    private struct Loaded {
        var configuration: AlipayPlusServerConfiguration
        var file: AlipayPlusFile?
        var rates: AlipayPlusFile.Rates?
    }

    /// The gateway of the file, or in test mode without one the sandbox's, whose parties register themselves.
    private static func load(_ shared: ServeComposition.Shared) throws -> Loaded {
        let options = shared.options
        var configuration = AlipayPlusServerConfiguration(
            mode: options.configuration.mode, keys: try AlipayPlusKeys.load(shared.folder), origin: options.addresses.alipayPlus)
        if let path = options.alipayPlus {
            let file = try AlipayPlusFile(ConfigurationFile.bytes(path))
            configuration.origin = file.origin
            if let codes = file.codes {
                (configuration.codeHost, configuration.codeGiven, configuration.codeChosen) = (codes.host, codes.given, codes.chosen)
            }
            return Loaded(configuration: configuration, file: file, rates: file.rates)
        }
        guard options.configuration.mode == .test else {
            throw CommandFailure(
                .usage, code: "configuration-invalid", reason: "production needs --alipay-plus FILE for the role alipay-plus")
        }
        configuration.onboardingKey = try AlipayGatewayInstallation.bearer(onboardingKey, in: shared.folder)
        configuration.clientsClock = SystemClock()
        return Loaded(configuration: configuration, rates: sandboxRates)
    }

    /// Rates that hold from the beginning of time, until a test publishes others.
    private static let sandboxRates = AlipayPlusFile.Rates(
        since: AlipayPlusTime(millisecondsSince1970: 0),
        perDollar: [
            .cny: "7.1234", .hkd: "7.7812", .php: "58.71", .krw: "1385.5", .idr: "15925", .sgd: "1.3475", .jpy: "151.2", .thb: "33.41",
            .myr: "4.215", .eur: "0.9241", .gbp: "0.7812",
        ])
}
