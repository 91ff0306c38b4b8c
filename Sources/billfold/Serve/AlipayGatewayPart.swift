import AlipayServer
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import Foundation

/// The order gateway on the public listener.
enum AlipayGatewayPart {
    /// Its store in the data folder: not the other servers', whose outboxes have other messages.
    static let fileName = "alipay-gateway.sqlite"
    static let wallet = "ALIPAY_CN"

    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        let (options, surroundings) = (shared.options, shared.surroundings)
        guard options.alipayDatabase == nil || options.alipayDatabase != options.database else {
            throw CommandFailure(
                .usage, code: "configuration-invalid", reason: "the gateway needs a store of its own: --alipay-gateway-database")
        }
        let database = try await StoreOpening.open(
            options.alipayDatabase ?? shared.folder.path(fileName), folder: shared.folder, mode: options.configuration.mode,
            kind: .alipayGateway, clock: surroundings.clock, logger: surroundings.logger)
        let store = surroundings.watch(database, named: "alipay gateway database") { try CardPaymentsRecords.probe(in: $0) }
        do {
            let installation = AlipayGatewayInstallation(shared: shared)
            let loaded = try installation.load()
            let server = try AlipayServer(
                configuration: loaded.configuration, database: database, http: shared.sender,
                addresses: try AddressPolicy(mode: options.configuration.mode), trace: shared.trace.buffer,
                identifiers: .system, surroundings: surroundings)
            for merchant in loaded.merchants { _ = try await server.onboarding.register(merchant) }
            if let rates = loaded.rates { try await server.rates.publish(rates) }
            var workers = server.workers + [store]
            if let file = loaded.rateFile { workers.append(RateWatch(server) { try ConfigurationFile.bytes(file) }) }
            return ServeComposition.Part(
                publicRoutes: [{ router in server.addRoutes(to: router) }], errors: { $0.withAlipay() },
                drainedBodies: AlipayServer.drainedBodies, workers: workers,
                closing: [{ try await database.close() }],
                console: .init(desks: [GatewayConsole(server.backOffice)], notices: [server.notices], actions: server.actions.all))
        } catch {
            try? await database.close()
            throw error
        }
    }
}

/// The gateway that a process runs: that of the gateway's file, or in test mode without one the sandbox's, whose merchants register
/// themselves.
struct AlipayGatewayInstallation {
    let shared: ServeComposition.Shared

    struct Loaded {
        var configuration: AlipayServerConfiguration
        var merchants: [MerchantWish] = []
        var rates: RateFile?
        /// Where the rates come from.
        var rateFile: String?
    }

    /// A bearer that parties of one data folder share. Whoever comes first makes it.
    static func bearer(_ name: String, in folder: DataFolder) throws -> Secret<String> {
        let bytes = try folder.secret(name) { Array("al_test_\(SystemRandomness.name())\(SystemRandomness.name())".utf8) }
        return Secret(String(decoding: bytes.reveal(), as: UTF8.self))
    }

    func load() throws -> Loaded {
        if let path = shared.options.alipay { return try load(path) }
        guard shared.options.configuration.mode == .test else {
            throw CommandFailure(
                .usage, code: "configuration-invalid", reason: "production needs --alipay FILE for the role alipay-gateway")
        }
        var configuration = AlipayServerConfiguration(
            mode: .test, keys: try AlipayGatewayKeys.load(shared.folder, at: shared.surroundings.clock.now()),
            wallets: [
                .init(
                    id: AlipayGatewayPart.wallet, origin: shared.options.addresses.wallet,
                    bearer: try Self.bearer("wallet-link.key", in: shared.folder),
                    credential: try Self.bearer("gateway-link.key", in: shared.folder))
            ], origin: shared.options.addresses.alipayGateway)
        configuration.onboardingKey = try Self.bearer("alipay-onboarding.key", in: shared.folder)
        configuration.clientsClock = SystemClock()
        return Loaded(configuration: configuration, rates: try sandboxRates())
    }

    /// Rates that hold from the beginning of time, until a merchant's test publishes others.
    private func sandboxRates() throws -> RateFile {
        try RateFile(
            ["HKD|0.9123", "USD|7.1012", "EUR|7.7031", "GBP|9.2210", "JPY|0.0479", "SGD|5.3120"]
                .map { "20260101|090000|\($0)\n" }.joined())
    }

    private func load(_ path: String) throws -> Loaded {
        let base = URL(fileURLWithPath: path).deletingLastPathComponent()
        func place(_ name: String) -> String { URL(fileURLWithPath: name, relativeTo: base).path }
        func secret(_ name: String) throws -> Secret<String> {
            let path = place(name)
            let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            guard let mode, mode & 0o077 == 0 else {
                throw CommandFailure(
                    .usage, code: "configuration-invalid", reason: "\(path) is missing, or open to other users: chmod 600 \(path)")
            }
            return Secret(
                String(decoding: try ConfigurationFile.bytes(path), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
        var configuration = AlipayServerConfiguration(
            mode: shared.options.configuration.mode,
            keys: try AlipayGatewayKeys.load(shared.folder, at: shared.surroundings.clock.now()), wallets: [], origin: "")
        let file = try AlipayGatewayFile(
            ConfigurationFile.bytes(path), currencies: configuration.currencies, secret: secret)
        configuration.origin = file.origin
        configuration.wallets = try file.wallets.map {
            .init(id: $0.id, origin: $0.origin, bearer: try secret($0.key), credential: try secret($0.credential))
        }
        let rateFile = file.rates.map(place)
        let rates = try rateFile.map { try RateFile(String(decoding: ConfigurationFile.bytes($0), as: UTF8.self)) }
        return Loaded(configuration: configuration, merchants: file.merchants, rates: rates, rateFile: rateFile)
    }
}
