import Foundation
import HTTPTypes
import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization
import UnixSignals

/// Runs listeners and workers together until the process is asked to stop.
///
/// On SIGTERM or SIGINT the process says at `/readyz` that it is not ready, the listeners stop taking connections and finish
/// the requests in flight, then the workers stop, last added first. What is still running after the grace period is cancelled.
public struct ServerGroup: Service {
    /// Called once for each listener with its name and the port it got.
    public typealias OnListening = @Sendable (_ listener: String, _ port: Int) async -> Void

    private let listeners: [Listener]
    private let workers: [any Service]
    private let readiness: Readiness
    private let grace: Duration
    private let logger: Logger
    private let metrics: PrometheusMetrics
    private let handlesSignals: Bool
    private let onListening: OnListening

    /// - `handlesSignals`: Whether SIGTERM and SIGINT stop the group; a test stops it by other means.
    public init(
        listeners: [Listener], workers: [any Service] = [], surroundings: ServerSurroundings, handlesSignals: Bool = true,
        onListening: @escaping OnListening = { _, _ in }
    ) {
        self.listeners = listeners
        self.workers = workers
        readiness = surroundings.readiness
        grace = listeners.map(\.configuration.limits.shutdownGrace).max() ?? .seconds(20)
        logger = surroundings.logger
        metrics = surroundings.metrics
        self.handlesSignals = handlesSignals
        self.onListening = onListening
    }

    /// Serves until stopped.
    ///
    /// - Throws: ``ServerError`` with `port-taken`, `address-unusable`, `certificate-unusable` or `key-store-exposed`; whatever a worker
    ///   threw, unless that was cancelled because the grace was over.
    public func run() async throws {
        var services = workers.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }
        var listening: [ListenerService] = []
        for listener in listeners {
            let name = listener.configuration.name
            let running = try listener.running(metrics: metrics) { [onListening] port in await onListening(name, port) }
            if let watch = running.certificateWatch { services.append(.init(service: watch)) }
            listening.append(ListenerService(configuration: listener.configuration, base: running.server))
        }
        services.append(.init(service: ListenerServices(all: listening)))
        // Last in the list is first to stop.
        let stopping = StoppingService(readiness: readiness)
        services.append(.init(service: stopping))
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [], logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            guard let elapsed = stopping.elapsed, elapsed >= grace else { throw error }
            // What was cancelled says so by throwing, and has ended as it should.
            logger.warning("the grace was over before everything had stopped: the rest was cancelled", metadata: ["error": "\(error)"])
        }
    }
}

/// Tells `/readyz` before anything stops, and knows how long ago that was.
private final class StoppingService: Service {
    private let readiness: Readiness
    private let begun = Mutex<ContinuousClock.Instant?>(nil)

    init(readiness: Readiness) { self.readiness = readiness }

    /// `nil` before the stop.
    var elapsed: Duration? { begun.withLock { $0?.duration(to: .now) } }

    func run() async throws {
        guard (try? await gracefulShutdown()) != nil else { return }
        begun.withLock { $0 = .now }
        readiness.stop()
    }
}

/// All listeners as one service: they are told to stop at once, where a group's services stop one after the other. A listener that still
/// took connections when the grace is over would lose those that nobody has begun to serve, and the framework ends the process for that.
private struct ListenerServices: Service {
    let all: [ListenerService]

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for each in all { group.addTask { try await each.run() } }
        }
    }
}

/// A listener that says in our codes why it cannot bind.
private struct ListenerService: Service {
    let configuration: ListenerConfiguration
    let base: any Service

    func run() async throws {
        do {
            try await base.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw failure(.portTaken, "\(configuration.address) is already in use")
        } catch let error as IOError where [EACCES, EADDRNOTAVAIL, EPERM].contains(error.errnoCode) {
            throw failure(.addressUnusable, "\(configuration.address) cannot be listened on here")
        } catch is SocketAddressError {
            throw failure(.addressUnusable, "'\(configuration.address.host)' is no address of this machine")
        }
    }

    private func failure(_ code: ServerError.Code, _ reason: String) -> ServerError {
        ServerError(code: code, reason: "\(configuration.name): \(reason)", status: .internalServerError)
    }
}
