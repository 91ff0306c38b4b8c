import AlipayServer
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Logging
import Testing

struct AlipayServerExample {
    // Example
    /// One service of a process, whose `ServiceGroup` runs and stops it. Merchants and wallets reach it at `origin`.
    func gateway(
        at origin: String, keys: OrderGatewayKeys, wallet: AlipayServerConfiguration.Wallet, onboardingKey: Secret<String>,
        database: any Database, http: any HTTPSender, trace: any TraceSink, onListening: @escaping ServerGroup.OnListening
    ) async throws -> ServerGroup {
        let (start, clock) = (ContinuousClock.now, SystemClock())
        let surroundings = ServerSurroundings(
            logger: Logger(label: "gateway"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withAlipay())
        try await MigrationRunner(AlipayServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        var configuration = AlipayServerConfiguration(mode: .test, keys: keys, wallets: [wallet], origin: origin)
        configuration.onboardingKey = onboardingKey
        let server = try AlipayServer(
            configuration: configuration, database: database, http: http, addresses: try AddressPolicy(mode: .test), trace: trace,
            identifiers: .system, surroundings: surroundings)
        var listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        listener.limits.drainedBodies = AlipayServer.drainedBodies
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        return ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)], workers: server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: onListening)
    }
    // End

    @Test func example() async throws {
        try await ServedExample.serve { parts in
            try await gateway(
                at: "http://127.0.0.1:8080", keys: ServerExampleParties.orderGatewayKeys(), wallet: ServerExampleParties.wallet,
                onboardingKey: Secret(ServerExampleParties.bearer), database: parts.database, http: parts.http, trace: parts.trace,
                onListening: parts.onListening)
        } asking: { server in
            let merchant = #"{"partner":"2088000000000101","name":"Tea"}"#
            let registered = try await server.post("/onboarding/v1/merchants", merchant, bearer: ServerExampleParties.bearer)
            #expect(registered.status == 200, "\(registered.body)")
            #expect(registered.body.contains(#""partner":"2088000000000101""#))
            // Nobody was told anything yet.
            let verdict = try await server.get("/gateway.do?service=notify_verify&partner=2088000000000101&notify_id=none")
            #expect(verdict.body == "false")
        }
    }
}
