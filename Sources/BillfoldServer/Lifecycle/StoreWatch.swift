package import BillfoldStorage
import Metrics
import ServiceLifecycle

/// Tells of one store whether it takes writes: at `/readyz` by its name, and as the gauge `store_ill{store}`, 0 or 1.
///
/// The store itself logs each change. Readiness asks it anew; the worker looks at what it knows, and asks for as long as it is ill,
/// so that it is found well though nobody asks for readiness.
package struct StoreWatch: Service {
    private let name: String
    private let database: any Database
    private let metrics: PrometheusMetrics
    private let pause: Duration
    private let reading: @Sendable (any Transaction) throws -> Void

    /// - Parameters:
    ///   - pause: Between two looks of the worker.
    ///   - reading: A read of a row or none, which readiness asks for too: of the mode that every store has, unless a test gives another.
    package init(
        _ name: String, _ database: any Database, metrics: PrometheusMetrics, pause: Duration = .seconds(1),
        reading: @escaping @Sendable (any Transaction) throws -> Void = { _ = try StoreMode.stamp(in: $0) }
    ) {
        self.name = name
        self.database = database
        self.metrics = metrics
        self.pause = pause
        self.reading = reading
        tell()
    }

    /// What `/readyz` asks: the store writes something, and is read.
    package var check: ReadinessCheck {
        ReadinessCheck(name) {
            defer { tell() }
            try await database.probe()
            try await database.read(reading)
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if database.illness != nil { try? await database.probe() }
                tell()
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func tell() {
        Meter(label: "store_ill", dimensions: [("store", name)], factory: metrics).set(database.illness == nil ? 0 : 1)
    }
}

extension ServerSurroundings {
    /// Has a store watched: readiness asks it from now on.
    ///
    /// - Returns: A worker of the server.
    package func watch(_ database: any Database, named name: String) -> StoreWatch {
        let watch = StoreWatch(name, database, metrics: metrics)
        readiness.add(watch.check)
        return watch
    }
}
