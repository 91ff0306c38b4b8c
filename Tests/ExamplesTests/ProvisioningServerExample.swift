import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Logging
import ProvisioningServer
import Testing

struct ProvisioningServerExample {
    // Example
    /// One service of a process, whose `ServiceGroup` runs and stops it. The bank's back end opens sessions with its key.
    func issuer(
        keys: ProvisioningConfiguration.Keys, networkKeys: NetworkKeys, bankKey: Secret<String>, cards: any CardSource,
        database: any Database, http: any HTTPSender, trace: any TraceSink, onListening: @escaping ServerGroup.OnListening
    ) async throws -> ServerGroup {
        let (start, clock) = (ContinuousClock.now, SystemClock())
        let surroundings = ServerSurroundings(
            logger: Logger(label: "issuer"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withProvisioning())
        try await MigrationRunner(ProvisioningServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let visa = Programme(
            id: "visa", network: .visa, numberPrefixes: ["405551"], displayName: "Visa", payload: .encryptedFPAN(prefixDigits: 6))
        var configuration = ProvisioningConfiguration(
            mode: .production, issuer: try MerchantID("bank"), programmes: [visa], keys: keys)
        configuration.networkKeys = networkKeys
        let server = try ProvisioningServer(
            configuration: configuration, database: database, cardSource: cards, http: http, trace: trace, identifiers: .system,
            surroundings: surroundings)
        try await server.callerKeys.add(bankKey, for: .bank)
        let listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        return ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)], workers: server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: onListening)
    }
    // End

    @Test func example() async throws {
        let customer = #"{"customer":"c-1","device":"phone-1"}"#
        try await ServedExample.serve { parts in
            try await issuer(
                keys: ServerExampleParties.issuerKeys(), networkKeys: ServerExampleParties.networkKeys(),
                bankKey: Secret(ServerExampleParties.bearer), cards: ServerExampleParties.OneCard(), database: parts.database,
                http: parts.http, trace: parts.trace, onListening: parts.onListening)
        } asking: { server in
            let opened = try await server.post("/provisioning/v1/sessions", customer, bearer: ServerExampleParties.bearer)
            #expect(opened.status == 201, "\(opened.body)")
            #expect(opened.body.contains(#""token":""#))
            let strange = try await server.post("/provisioning/v1/sessions", customer, bearer: "nobody's key")
            #expect(strange.status == 401)
        }
    }
}
