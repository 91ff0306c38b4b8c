import BillfoldStorage

extension PostgreSQLDatabase {
    /// Rolls a probe back.
    private struct Enough: Error {}

    /// Whoever asks for readiness waits no longer than this.
    private static let probeLimit: Duration = .milliseconds(1_500)

    /// Asks the server whether it takes writes. Sessions are made anew where they were lost.
    ///
    /// A server on a full disk goes on with small writes for a while. So the first that is refused tells of it, and from then on the
    /// probe wants room for a table of some hundred kilobytes too, which it does not keep.
    public func probe() async throws {
        let wantsRoom = illness?.code == .storeIll
        do {
            try await requireWritable()
            if wantsRoom { try await requireRoom() }
            health.recover()
        } catch {
            health.fallIll((error as? StorageError) ?? StorageError(code: .unavailable, reason: "\(error)"))
            throw error
        }
    }

    /// A write that is made once: a server that refuses connections is not tried again.
    private func attempt(_ body: @escaping @Sendable (any Transaction) throws -> Void) async throws {
        let end = ContinuousClock.now + Self.probeLimit
        try await StorageDeadline.$current.withValue(min(StorageDeadline.current ?? end, end)) {
            try await Self.perform(pool, Self.probeLimit) { session, deadline in
                try session.write(resolve: { _ in () }, deadline: deadline, isPatient: false, body)
            }
        }
    }

    private func requireWritable() async throws {
        try await attempt { transaction in
            let setting = try transaction.query("SELECT current_setting('transaction_read_only')")[0].text(0)
            guard setting == "off" else {
                throw StorageError(code: .storeIll, reason: "the server is read-only: transaction_read_only is \(setting)")
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
