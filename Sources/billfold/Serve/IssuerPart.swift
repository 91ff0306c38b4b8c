import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import Foundation
import ProvisioningServer

/// The issuer's host for provisioning on the public listener.
enum IssuerPart {
    /// Its store in the data folder: not the merchants', whose outbox has other messages.
    static let fileName = "issuer.sqlite"

    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        let options = shared.options
        let surroundings = shared.surroundings
        guard options.issuerDatabase == nil || options.issuerDatabase != options.database else {
            throw CommandFailure(
                .usage, code: "configuration-invalid", reason: "the issuer's host needs a store of its own: --issuer-database")
        }
        let database = try await StoreOpening.open(
            options.issuerDatabase ?? shared.folder.path(fileName), folder: shared.folder, mode: options.configuration.mode,
            kind: .issuer, clock: surroundings.clock, logger: surroundings.logger)
        let store = surroundings.watch(database, named: "issuer database") { try CardPaymentsRecords.probe(in: $0) }
        do {
            let loaded = try await IssuerInstallation(shared: shared).load()
            let server = try ProvisioningServer(
                configuration: loaded.configuration, database: database, cardSource: loaded.cards, http: shared.sender,
                trace: shared.trace.buffer, identifiers: .system, surroundings: surroundings)
            try await server.callerKeys.replace(with: loaded.callers)
            var workers = server.workers + [store]
            if let keys = loaded.keys {
                workers.append(
                    IssuerKeyWatch(
                        keys: keys.source, loaded: keys.state, server: server, metrics: surroundings.metrics, logger: surroundings.logger))
            }
            return ServeComposition.Part(
                publicRoutes: [{ router in server.addRoutes(to: router) }], errors: { $0.withProvisioning() }, workers: workers,
                closing: [{ try await database.close() }],
                console: .init(
                    desks: server.desk.map { [ProvisioningConsole($0)] } ?? [], notices: server.tokens.map { [$0.notices] } ?? [],
                    actions: server.tokens?.actions.all ?? [:], chains: (database, [server.issuer])))
        } catch {
            try? await database.close()
            throw error
        }
    }
}
