import BillfoldServer
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import HTTPTypes
import ServiceLifecycle

/// A server that an example composes, its store in a temporary folder, on a free port of loopback, for as long as a test asks it.
struct ServedExample: Sendable {
    /// What a process hands to each of its servers.
    struct Parts: Sendable {
        var database: any Database
        var http: any HTTPSender
        var trace: any TraceSink
        var onListening: ServerGroup.OnListening
    }

    struct Answer: Sendable {
        var status: Int
        var body: String
    }

    private let http: AsyncHTTPSender
    private let origin: String

    /// Runs the group that `compose` makes, has `body` ask it, and stops it.
    static func serve(
        _ compose: @escaping @Sendable (Parts) async throws -> ServerGroup,
        asking body: @escaping @Sendable (ServedExample) async throws -> Void
    ) async throws {
        try await StoreEngine.sqlite.withDatabase { database in
            let http = AsyncHTTPSender(policy: try AddressPolicy(mode: .test))
            let outcome: Result<Void, any Error>
            do {
                try await run(compose, on: database, with: http, asking: body)
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            try await http.shutdown()
            try outcome.get()
        }
    }

    private static func run(
        _ compose: @Sendable (Parts) async throws -> ServerGroup, on database: any Database, with http: AsyncHTTPSender,
        asking body: @Sendable (ServedExample) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let servers = try await compose(
            Parts(database: database, http: http, trace: TraceBuffer(), onListening: { _, port in continuation.yield(port) }))
        let process = ServiceGroup(configuration: ServiceGroupConfiguration(services: [servers], logger: TestStore.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await process.run()
            }
            for await port in ports {
                try await body(ServedExample(http: http, origin: "http://127.0.0.1:\(port)"))
                break
            }
            await process.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    func get(_ path: String) async throws -> Answer {
        try await send(OutgoingRequest(method: .get, url: origin + path, destination: .configured))
    }

    /// - `key`: The request's `Idempotency-Key`.
    func post(_ path: String, _ json: String, bearer: String, key: String? = nil) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(bearer)"]
        if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await send(
            OutgoingRequest(method: .post, url: origin + path, headers: headers, body: Array(json.utf8), destination: .configured))
    }

    private func send(_ request: OutgoingRequest) async throws -> Answer {
        let answer = try await http.send(request)
        return Answer(status: Int(answer.status.code), body: String(decoding: answer.body, as: UTF8.self))
    }
}
