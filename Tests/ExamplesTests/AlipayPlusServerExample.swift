import AlipayPlusServer
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Logging
import Testing

struct AlipayPlusServerExample {
    // Example
    /// One service of a process, whose `ServiceGroup` runs and stops it. Acquirers, wallets and phones reach it at `origin`.
    func gateway(
        at origin: String, keys: AlipayPlusGatewayKeys, onboardingKey: Secret<String>, database: any Database, http: any HTTPSender,
        trace: any TraceSink, onListening: @escaping ServerGroup.OnListening
    ) async throws -> ServerGroup {
        let (start, clock) = (ContinuousClock.now, SystemClock())
        let surroundings = ServerSurroundings(
            logger: Logger(label: "gateway"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withAlipayPlus())
        try await MigrationRunner(AlipayPlusServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        var configuration = AlipayPlusServerConfiguration(mode: .test, keys: keys, origin: origin)
        configuration.onboardingKey = onboardingKey
        let server = try AlipayPlusServer(
            configuration: configuration, database: database, http: http, addresses: try AddressPolicy(mode: .test), trace: trace,
            identifiers: .system, surroundings: surroundings)
        let listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        return ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)], workers: server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: onListening)
    }
    // End

    @Test func example() async throws {
        let acquirer = try ServerExampleParties.acquirer()
        try await ServedExample.serve { parts in
            try await gateway(
                at: "http://127.0.0.1:8080", keys: ServerExampleParties.acquiringGatewayKeys(),
                onboardingKey: Secret(ServerExampleParties.bearer), database: parts.database, http: parts.http, trace: parts.trace,
                onListening: parts.onListening)
        } asking: { server in
            let registered = try await server.post("/onboarding/v1/acquirers", acquirer, bearer: ServerExampleParties.bearer)
            #expect(registered.status == 200, "\(registered.body)")
            #expect(registered.body.contains(#""clientId":"SANDBOX_ACQUIRER1""#))
            let strange = try await server.post("/onboarding/v1/acquirers", acquirer, bearer: "nobody's key")
            #expect(strange.status == 401)
        }
    }
}
