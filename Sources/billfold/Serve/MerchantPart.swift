import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import Crypto
import PaymentCrypto

/// The merchant's card-payments server on the public listener.
enum MerchantPart {
    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        let options = shared.options
        let surroundings = shared.surroundings
        let database = try await StoreOpening.open(
            options.database, folder: shared.folder, mode: shared.options.configuration.mode,
            kind: .cards, clock: surroundings.clock, logger: surroundings.logger)
        let store = surroundings.watch(database, named: "database") { try CardPaymentsRecords.probe(in: $0) }
        do {
            let installation = try MerchantInstallation(shared)
            let keys = try await installation.load()
            let loaded = try keys.map { try $0.store.keys }
            let dates = SandboxPart.dates(shared)
            let server = try CardPaymentsServer(
                configuration: try await configuration(
                    shared, installation, merchants: keys.map { try $0.profile(at: dates(), logger: surroundings.logger) }),
                database: database, http: shared.sender, trace: shared.trace.buffer,
                identifiers: .system, surroundings: surroundings)
            if options.configuration.mode == .test, let merchant = installation.file.merchants.first {
                try await server.service.register(
                    apiKey: MerchantInstallation.apiKey(in: shared.folder), merchant: merchant.id, label: "shop")
            }
            let watch = KeyWatch(
                keys: keys, loaded: loaded, service: server.service, dates: dates, metrics: surroundings.metrics,
                logger: surroundings.logger)
            return ServeComposition.Part(
                publicRoutes: [{ router in server.addRoutes(to: router) }], errors: { $0.withCardPayments() },
                publicHosts: Set(installation.file.merchants.flatMap(\.domains)), workers: server.workers + [watch, store],
                closing: [{ try await database.close() }], orders: (database, server.backOffice),
                console: .init(
                    notices: [server.notices], actions: CardPaymentsActions(server: server, links: try shared.folder.auditChain()).all))
        } catch {
            try? await database.close()
            throw error
        }
    }

    private static func configuration(
        _ shared: ServeComposition.Shared, _ installation: MerchantInstallation, merchants: [MerchantProfile]
    ) async throws -> CardPaymentsConfiguration {
        let folder = shared.folder
        let sealing = try SealingKey(bytes: folder.symmetric("sealing").reveal())
        var configuration = CardPaymentsConfiguration(
            mode: shared.options.configuration.mode, merchants: merchants, tokenTrust: try await installation.tokenTrust(),
            endpoints: installation.endpoints,
            keys: .init(
                audit: SymmetricKey(data: try folder.symmetric("audit").reveal()),
                hashing: SymmetricKey(data: try folder.symmetric("hashing").reveal()),
                sealer: EnvelopeSealer(ring: KeyRing(active: "sealing-1", sealing))))
        configuration.testSessionOrigin = shared.options.applePay
        return configuration
    }
}
