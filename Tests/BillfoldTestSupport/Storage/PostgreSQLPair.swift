import BillfoldDiagnosis
public import BillfoldStorage
import BillfoldStoragePostgreSQL

/// Two PostgreSQL servers, the second a standby that follows the first asynchronously.
public final class PostgreSQLPair: Sendable {
    private let primary: PostgreSQLCluster
    private let standby: PostgreSQLCluster

    public init() throws {
        primary = try PostgreSQLCluster()
        standby = try PostgreSQLCluster(standbyOf: primary)
    }

    /// Whichever of the two takes writes.
    public func open() async throws -> any InspectableDatabase {
        try await PostgreSQLDatabase(
            PostgreSQLConfiguration(
                connection: Secret("host=127.0.0.1,127.0.0.1 port=\(primary.port),\(standby.port) user=billfold dbname=postgres")),
            randomness: SeededStoreGenerator(seed: StoreEngine.seed), logger: TestStore.logger)
    }

    /// From here on what is committed is lost by ``failOver()``.
    public func detach() throws {
        try primary.wait(for: standby)
        try standby.detach()
    }

    /// Kills the primary, and makes the standby the one that takes writes.
    public func failOver() throws {
        try primary.stopImmediately()
        try standby.promote()
    }
}

/// Holds all that arrive until the last of them has had done what is to happen meanwhile.
public actor Gate {
    private let count: Int
    private let meanwhile: @Sendable () throws -> Void
    private var arrived = 0
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// What kept it from happening.
    public private(set) var problem: String?

    public init(_ count: Int, meanwhile: @escaping @Sendable () throws -> Void) {
        self.count = count
        self.meanwhile = meanwhile
    }

    public func pass() async {
        arrived += 1
        if arrived == count {
            do { try meanwhile() } catch { problem = "\(error)" }
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        } else if !isOpen {
            await withCheckedContinuation { waiting.append($0) }
        }
    }
}
