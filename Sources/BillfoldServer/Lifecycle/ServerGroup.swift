import Foundation
import Logging
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
    private let onFailure: @Sendable () -> Void

    /// - Parameters:
    ///   - listeners: All told to stop at once. The longest of their grace periods is the group's; without any it is 20 seconds.
    ///   - workers: What runs beside the listeners and goes on until they have stopped; the last one stops first.
    ///   - surroundings: Where the group logs and counts, and the readiness that it withdraws when it stops.
    ///   - handlesSignals: Whether SIGTERM and SIGINT stop the group; a test stops it by other means.
    ///   - onListening: Tells the port that each listener got, such as where it had asked for any free one.
    ///   - onFailure: Called when a worker fails by itself, which ends the group: whatever does not stop would keep the process, and its
    ///     supervisor from starting another one. Not called for a ``ServerError``, such as that of a listener that cannot begin.
    public init(
        listeners: [Listener], workers: [any Service] = [], surroundings: ServerSurroundings, handlesSignals: Bool = true,
        onListening: @escaping OnListening = { _, _ in }, onFailure: @escaping @Sendable () -> Void = {}
    ) {
        self.listeners = listeners
        self.workers = workers
        readiness = surroundings.readiness
        grace = listeners.map(\.configuration.limits.shutdownGrace).max() ?? .seconds(20)
        logger = surroundings.logger
        metrics = surroundings.metrics
        self.handlesSignals = handlesSignals
        self.onListening = onListening
        self.onFailure = onFailure
    }

    /// Serves until stopped.
    ///
    /// - Throws: ``ServerError`` with `port-taken`, `address-unusable`, `certificate-unusable` or `key-store-exposed`; whatever a worker
    ///   threw, unless that was cancelled because the grace was over.
    public func run() async throws {
        let failure = FirstFailure(logger: logger, then: onFailure)
        var services = workers.map { ServiceGroupConfiguration.ServiceConfiguration(service: WatchedService(base: $0, failure: failure)) }
        var listening: [ListenerService] = []
        for listener in listeners {
            let name = listener.configuration.name
            let running = try listener.running(metrics: metrics) { [onListening] port in await onListening(name, port) }
            if let watch = running.certificateWatch { services.append(.init(service: watch)) }
            listening.append(ListenerService(configuration: listener.configuration, base: running.server))
        }
        services.append(.init(service: WatchedService(base: ListenerServices(all: listening), failure: failure)))
        // Last in the list is first to stop.
        let stopping = StoppingService(readiness: readiness)
        services.append(.init(service: stopping))
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [], logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            guard stopping.hasBegun, failure.wasCancelled else { throw error }
            // What was cancelled because the grace was over says so by throwing, and has ended as it should.
            logger.warning(
                "the grace was over before everything had stopped: the rest was cancelled",
                metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
        }
    }
}

/// Tells `/readyz` before anything stops.
private final class StoppingService: Service {
    private let readiness: Readiness
    private let begun = Atomic(false)

    init(readiness: Readiness) { self.readiness = readiness }

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    func run() async throws {
        guard (try? await gracefulShutdown()) != nil else { return }
        begun.store(true, ordering: .releasing)
        readiness.stop()
    }
}

/// How the first service of a group that failed came to it: by itself, or because the group was cancelled.
private final class FirstFailure: Sendable {
    private let first = Mutex<Bool?>(nil)
    private let logger: Logger
    private let then: @Sendable () -> Void

    init(logger: Logger, then: @escaping @Sendable () -> Void) {
        self.logger = logger
        self.then = then
    }

    /// Whether no service failed but those that were cancelled.
    var wasCancelled: Bool { first.withLock { $0 == true } }

    func note(_ error: any Error, wasCancelled: Bool) {
        let isFirst = first.withLock { first in
            defer { first = first ?? wasCancelled }
            return first == nil
        }
        // A listener that cannot begin says so with an error of ours, and nothing is under way.
        guard isFirst, !wasCancelled, !(error is ServerError) else { return }
        logger.error("something failed, and the servers stop", metadata: ["error": "\(ErrorMapping.logDescription(of: error))"])
        then()
    }
}

private struct WatchedService: Service {
    let base: any Service
    let failure: FirstFailure

    func run() async throws {
        do {
            try await base.run()
        } catch {
            failure.note(error, wasCancelled: Task.isCancelled)
            throw error
        }
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
        do { try await base.run() } catch { throw configuration.refusal(of: error) ?? error }
    }
}
