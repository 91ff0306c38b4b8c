package import AsyncHTTPClient
package import BillfoldServer
package import BillfoldStorage
import Foundation
package import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
package import ServiceLifecycle
import Synchronization

/// A clock that stands where a test put it.
package final class StandingClock: WallClock {
    private let instant: Mutex<Timestamp>

    package init(_ instant: Timestamp = Timestamp(secondsSince1970: 1_772_000_000)) { self.instant = Mutex(instant) }

    package func now() -> Timestamp { instant.withLock { $0 } }
    package func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

/// Time since a start, moved by hand.
package final class StandingUptime: Sendable {
    private let elapsed = Mutex(Duration.zero)

    package init() {}

    package var now: Duration { elapsed.withLock { $0 } }
    package func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
}

/// Servers on free loopback ports, for as long as a test's body runs.
package struct RunningServer: Sendable {
    package let ports: [String: Int]
    package let group: ServiceGroup

    package func url(_ listener: String = "public", _ path: String) -> String { "http://127.0.0.1:\(ports[listener] ?? 0)\(path)" }

    package static func surroundings(
        log: MemoryLog = MemoryLog(), format: StructuredLogHandler.Format = .json, uptime: StandingUptime = StandingUptime(),
        checks: [ReadinessCheck] = [], errors: ErrorMapping = ErrorMapping()
    ) -> ServerSurroundings {
        let clock = StandingClock()
        let logger = Logger(label: "test") { label in
            StructuredLogHandler(label: label, format: format, level: .debug, clock: clock, destination: log)
        }
        return ServerSurroundings(
            logger: logger, clock: clock, uptime: { uptime.now }, readiness: Readiness(checks: checks), errors: errors)
    }

    /// For tests that are not about time: on a busy machine a client may be late.
    package static let patient = ServerLimits(
        bodyTimeout: .seconds(120), requestTimeout: .seconds(120), handshakeTimeout: .seconds(120), headerTimeout: .seconds(120))

    /// Serves one listener named `public` with the given routes.
    package static func with(
        limits: ServerLimits = patient, tls: TLSIdentity? = nil, surroundings: ServerSurroundings = surroundings(),
        workers: [any Service] = [], routes: (Router<ServerRequestContext>) -> Void, body: (RunningServer) async throws -> Void
    ) async throws {
        let configuration = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), tls: tls, limits: limits)
        let router = surroundings.router(for: configuration)
        routes(router)
        let listener = Listener(configuration, router: router, logger: surroundings.logger)
        try await with([listener], surroundings: surroundings, workers: workers, body: body)
    }

    package static func with(
        _ listeners: [Listener], surroundings: ServerSurroundings, workers: [any Service] = [],
        body: (RunningServer) async throws -> Void
    ) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: (String, Int).self)
        let group = ServerGroup(listeners: listeners, workers: workers, surroundings: surroundings, handlesSignals: false) { name, port in
            continuation.yield((name, port))
        }
        let services = ServiceGroup(configuration: ServiceGroupConfiguration(services: [group], logger: surroundings.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await services.run()
            }
            var found: [String: Int] = [:]
            for await (name, port) in ports {
                found[name] = port
                if found.count == listeners.count { break }
            }
            if found.count == listeners.count { try await body(RunningServer(ports: found, group: services)) }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

/// One answer, read whole.
package struct Answer: Sendable {
    package var status: Int
    package var headers: [String: String]
    package var body: String

    /// Shows a redirect instead of following it.
    package static let plain = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: .init(redirectConfiguration: .disallow, timeout: .init(connect: .seconds(60))))

    package static func get(_ url: String, headers: [(String, String)] = []) async throws -> Answer {
        try await send("GET", url, headers: headers)
    }

    package static func send(
        _ method: String, _ url: String, headers: [(String, String)] = [], body: String? = nil, client: HTTPClient = plain
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        if body != nil { request.headers.add(name: "Content-Type", value: "application/json") }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await client.execute(request, timeout: .seconds(60))
        let text = try await String(buffer: response.body.collect(upTo: 4_194_304))
        return Answer(
            status: Int(response.status.code),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }, body: text)
    }

    /// The code in an error's body.
    package var errorCode: String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return (object?["error"] as? [String: Any])?["code"] as? String
    }
}
