import BillfoldStorage

extension PostgreSQLDatabase {
    /// Rolls a probe back.
    private struct Enough: Error {}

    /// Whoever asks for readiness waits no longer than this.
    private static let probeLimit: Duration = .milliseconds(1_500)

    /// How long a probe's commit may keep its session before another one is tried.
    private static let commitLimit: Duration = .seconds(60)

    /// Asks the server whether it takes writes. Sessions are made anew where they were lost.
    ///
    /// A server on a full disk goes on with small writes for a while. So the first that is refused tells of it, and from then on the
    /// probe wants room for a table of some hundred kilobytes too, which it does not keep.
    public func probe() async throws {
        let wantsRoom = illness?.code == .storeIll
        do {
            if try await requireWritable() { try await requireCommit() }
            if wantsRoom { try await requireRoom() }
            health.recover()
        } catch {
            health.fallIll((error as? StorageError) ?? StorageError(code: .unavailable, reason: "\(error)"))
            throw error
        }
    }

    /// A write that is made once: a server that refuses connections is not tried again.
    private func attempt<Result: Sendable>(
        within limit: Duration = probeLimit, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        let end = ContinuousClock.now + limit
        return try await StorageDeadline.$current.withValue(min(StorageDeadline.current ?? end, end)) {
            try await Self.perform(on: pool, within: limit) { session, deadline in
                try session.write(resolve: nil, deadline: deadline, isPatient: false, body)
            }
        }
    }

    /// - Returns: Whether commits wait for standbys, which may be gone.
    private func requireWritable() async throws -> Bool {
        try await attempt { transaction in
            let setting = try transaction.query("SELECT current_setting('transaction_read_only')")[0].text(0)
            guard setting == "off" else {
                throw StorageError(code: .storeIll, reason: "the server is read-only: transaction_read_only is \(setting)")
            }
            return try !transaction.query("SELECT current_setting('synchronous_standby_names')")[0].text(0).isEmpty
        }
    }

    /// Commits something: a line in the server's log of changes that nobody reads, and no row.
    private func requireCommit() async throws {
        try await commitProbe.run(within: Self.probeLimit) { [self] in
            do {
                try await attempt(within: Self.commitLimit) { transaction in
                    _ = try transaction.query("SELECT CAST(pg_logical_emit_message(true, 'billfold', 'probe') AS TEXT)")
                }
            } catch let error as StorageError where error.code == .invalidStatement {
                // The role may not, or it is an engine without: the next write tells.
            }
        }
    }

    private func requireRoom() async throws {
        do {
            try await attempt { transaction in
                // Some thirty pages.
                try transaction.execute("CREATE TABLE billfold_probe AS SELECT n FROM generate_series(1, 8000) AS n")
                throw Enough()
            }
        } catch is Enough {
        } catch let error as StorageError where error.code == .invalidStatement {
            // The role may make no table: the next write tells.
        }
    }
}
