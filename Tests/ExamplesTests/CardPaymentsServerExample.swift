import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import CardPaymentsServer
import Logging
import Testing

struct CardPaymentsServerExample {
    // Example
    /// One service of a process, whose `ServiceGroup` runs and stops it. It takes orders from whoever has the API key.
    func shop(
        _ merchant: MerchantProfile, endpoints: CardPaymentsConfiguration.Endpoints, keys: CardPaymentsConfiguration.Keys,
        apiKey: Secret<String>, database: any Database, http: any HTTPSender, trace: any TraceSink,
        onListening: @escaping ServerGroup.OnListening
    ) async throws -> ServerGroup {
        let (start, clock) = (ContinuousClock.now, SystemClock())
        let surroundings = ServerSurroundings(
            logger: Logger(label: "shop"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withCardPayments())
        try await MigrationRunner(CardPaymentsServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let configuration = CardPaymentsConfiguration(
            mode: .production, merchants: [merchant], tokenTrust: .production, endpoints: endpoints, keys: keys)
        let server = try CardPaymentsServer(
            configuration: configuration, database: database, http: http, trace: trace, identifiers: .system, surroundings: surroundings)
        try await APIKeyRegister(database: database, hashing: keys.hashing, clock: clock)
            .add(apiKey, merchant: merchant.id, label: "shop")
        let listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        return ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)], workers: server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: onListening)
    }
    // End

    @Test func example() async throws {
        let order = """
            {"reference":"A-1","goods":"electronic","currency":"CNY","country":"CN","merchantName":"Shop",
             "lines":[{"label":"Song","unitAmount":"16.50","quantity":2,"taxRate":"0"}]}
            """
        try await ServedExample.serve { parts in
            try await shop(
                ServerExampleParties.merchant(), endpoints: ServerExampleParties.endpoints, keys: ServerExampleParties.cardKeys(),
                apiKey: Secret(ServerExampleParties.bearer), database: parts.database, http: parts.http, trace: parts.trace,
                onListening: parts.onListening)
        } asking: { server in
            let placed = try await server.post("/v1/orders", order, bearer: ServerExampleParties.bearer, key: "order-A-1")
            #expect(placed.status == 201, "\(placed.body)")
            #expect(placed.body.contains(#""total":"33.00""#))
            let strange = try await server.post("/v1/orders", order, bearer: "nobody's key", key: "order-A-2")
            #expect(strange.status == 401)
        }
    }
}
