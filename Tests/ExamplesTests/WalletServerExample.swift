import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Logging
import Testing
import WalletServer

struct WalletServerExample {
    // Example
    /// One service of a process, whose `ServiceGroup` runs and stops it.
    func wallet(
        keys: WalletConfiguration.Keys, gateway: WalletConfiguration.Gateway, database: any Database, http: any HTTPSender,
        trace: any TraceSink, onListening: @escaping ServerGroup.OnListening
    ) async throws -> ServerGroup {
        let (start, clock) = (ContinuousClock.now, SystemClock())
        let surroundings = ServerSurroundings(
            logger: Logger(label: "wallet"), clock: clock, uptime: { ContinuousClock.now - start },
            errors: ErrorMapping().withWallet())
        try await MigrationRunner(WalletServer.migrations, clock: clock, logger: surroundings.logger).run(on: database)
        let configuration = WalletConfiguration(
            mode: .production, owner: try MerchantID("wallet"), currency: try Currency("CNY"), keys: keys, gateway: gateway)
        // The system's generator: passwords' salts and sessions' tokens come from it.
        let random = RandomBytes { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
        let server = try WalletServer(
            configuration: configuration, database: database, http: http, trace: trace, identifiers: .system, random: random,
            surroundings: surroundings)
        var listener = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        listener.limits.maximumHeaderBytes += WalletServer.longestAddress
        let router = surroundings.router(for: listener)
        server.addRoutes(to: router)
        return ServerGroup(
            listeners: [Listener(listener, router: router, logger: surroundings.logger)], workers: server.workers,
            surroundings: surroundings, handlesSignals: false, onListening: onListening)
    }
    // End

    @Test func example() async throws {
        try await ServedExample.serve { parts in
            try await wallet(
                keys: ServerExampleParties.walletKeys(), gateway: ServerExampleParties.gateway, database: parts.database,
                http: parts.http, trace: parts.trace, onListening: parts.onListening)
        } asking: { server in
            let login = try await server.get("/wallet/login")
            #expect(login.status == 200, "\(login.body)")
            #expect(login.body.contains(#"autocomplete="current-password""#))
            // The books are the gateway's alone.
            #expect(try await server.get("/wallet/link/v1/books?day=2026-11-21").status == 401)
        }
    }
}
