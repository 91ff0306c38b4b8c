public import BillfoldStorage
public import Logging

/// A store in a PostgreSQL server. Several processes on one server behave as one.
public final class PostgreSQLDatabase: InspectableDatabase {
    /// As the first session read them back. Every later session is held to the same before it is used.
    public let settings: PostgreSQLSettings
    public let configuration: PostgreSQLConfiguration
    let pool: SessionPool
    let health: StoreHealth
    let commitProbe = CommitProbe()

    /// Connects and asserts the server's settings.
    ///
    /// - Parameters:
    ///   - configuration: Where the server is, and how long and how often it is tried.
    ///   - randomness: Draws the pauses between attempts.
    ///   - logger: Told when the store is opened, falls ill or recovers, and of commits whose outcome is unknown.
    /// - Throws: `StorageError` with `unsafe-settings` when the server may lose acknowledged writes, `unavailable` when
    ///   it cannot be reached.
    public init(
        _ configuration: PostgreSQLConfiguration, randomness: any RandomNumberGenerator & Sendable, logger: Logger
    ) async throws {
        let pool = SessionPool(configuration, jitter: Jitter(randomness), logger: logger)
        do {
            settings = try await Self.perform(on: pool, within: configuration.timeLimit) { session, deadline in
                try session.settings(deadline: deadline)
            }
        } catch {
            await pool.close()
            throw error
        }
        self.configuration = configuration
        self.pool = pool
        health = StoreHealth(logger: logger)
        logger.info(
            "store opened",
            metadata: [
                "engine": "\(engine)", "synchronous_commit": "\(settings.synchronousCommit)",
                "isolation": "\(configuration.isolation.rawValue)",
            ])
    }

    public var isShared: Bool { true }

    public var engine: String { "PostgreSQL \(settings.serverVersion)" }

    public var durabilitySettings: [String: String] {
        [
            "synchronous_commit": settings.synchronousCommit, "fsync": settings.fsync,
            "full_page_writes": settings.fullPageWrites,
        ]
    }

    /// Set by a write that was refused for a full disk, a read-only server or damage, and by a probe that failed; cleared by a probe alone.
    /// It stops no write: the next one asks the server itself.
    public var illness: StorageError? { health.illness }

    public func write<Result: Sendable>(
        resolve: (@Sendable (any Transaction) throws -> Result?)?,
        _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        let carried = OwnTime.carried(body)
        do {
            return try await Self.perform(on: pool, within: configuration.timeLimit) { session, deadline in
                try session.write(resolve: resolve, deadline: deadline, carried)
            }
        } catch let error as StorageError where error.code == .storeIll {
            health.fallIll(error)
            throw error
        }
    }

    /// There is one server: a stale read is a strong one.
    public func read<Result: Sendable>(
        _ consistency: ReadConsistency, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        try await Self.perform(on: pool, within: configuration.timeLimit) { session, deadline in
            try session.read(deadline: deadline, body)
        }
    }

    public func tableNames() async throws -> [String] {
        try await read(.strong) { transaction in
            try transaction.query(
                """
                SELECT table_name FROM information_schema.tables
                WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name
                """
            ).map { try $0.text(0) }
        }
    }

    /// Reads every row of every table once, which makes the server check what it has of checksums and structure, and
    /// returns what it refused. Constraints are the server's own care: it takes no row that breaks one.
    public func integrityProblems() async throws -> [String] {
        var problems: [String] = []
        for table in try await tableNames() {
            let name = "\"" + table.replacing("\"", with: "\"\"") + "\""
            do {
                _ = try await read(.strong) { try $0.query("SELECT COUNT(*) FROM \(name)") }
            } catch let error as StorageError where error.code == .storeIll {
                problems.append("\(table): \(error.reason)")
            }
        }
        return problems
    }

    public func close() async throws { await pool.close() }

    /// Runs `work` on a thread of the pool and waits for it, whatever becomes of the caller's task.
    static func perform<Value: Sendable>(
        on pool: SessionPool, within limit: Duration,
        work: @escaping @Sendable (PostgreSQLSession, ContinuousClock.Instant) throws -> Value
    ) async throws -> Value {
        let deadline = StorageDeadline.current ?? .now + limit
        return try await withCheckedThrowingContinuation { continuation in
            let accepted = pool.submit { session in
                continuation.resume(with: Result { try work(session, deadline) })
            }
            if !accepted {
                continuation.resume(throwing: StorageError(code: .unavailable, reason: "the store is closed"))
            }
        }
    }
}
