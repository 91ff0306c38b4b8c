import BillfoldServer
import BillfoldStorage
import HTTPTypes
import Hummingbird
import Logging
import Testing

struct BillfoldServerExample {
    // Example
    /// One service of a process, whose `ServiceGroup` runs and stops it.
    func orders(
        _ find: @escaping @Sendable (_ id: String) async throws -> String?, database: any Database,
        onListening: @escaping ServerGroup.OnListening
    ) -> ServerGroup {
        let start = ContinuousClock.now
        let surroundings = ServerSurroundings(
            logger: Logger(label: "orders"), clock: SystemClock(), uptime: { ContinuousClock.now - start },
            readiness: Readiness(checks: [ReadinessCheck("database") { try await database.probe() }]))
        let configuration = ListenerConfiguration(name: "public", address: ListenAddress(port: 0))
        let router = surroundings.router(for: configuration)
        router.get("/v1/orders/{id}") { _, context -> String in
            guard let order = try await find(context.parameters.require("id")) else {
                throw ServerError(code: .notFound, reason: "no such order", status: .notFound)
            }
            return order
        }
        let listener = Listener(configuration, router: router, logger: surroundings.logger)
        return ServerGroup(listeners: [listener], surroundings: surroundings, handlesSignals: false, onListening: onListening)
    }
    // End

    @Test func example() async throws {
        try await ServedExample.serve { parts in
            orders({ id in id == "A-1" ? "paid" : nil }, database: parts.database, onListening: parts.onListening)
        } asking: { server in
            let known = try await server.get("/v1/orders/A-1")
            #expect(known.status == 200)
            #expect(known.body == "paid")
            let unknown = try await server.get("/v1/orders/A-2")
            #expect(unknown.status == 404)
            #expect(unknown.body == #"{"error":{"code":"not-found","reason":"no such order"}}"#)
            #expect(try await server.get("/readyz").status == 200)
        }
    }
}
