import BillfoldStorage
import BillfoldStoragePostgreSQL
import Dispatch
import Synchronization

/// Ends sessions of a server through another one.
struct PostgreSQLKiller: Sendable {
    let database: PostgreSQLDatabase

    init(_ database: PostgreSQLDatabase) { self.database = database }

    /// Ends the session and returns when the server has let it go. Callable from a body, on its own thread.
    func kill(_ process: Int64) {
        let done = DispatchSemaphore(value: 0)
        Task.detached { [database] in
            _ = try? await database.read { try $0.query("SELECT pg_terminate_backend(CAST(? AS INTEGER), 5000)", [.integer(process)]) }
            done.signal()
        }
        done.wait()
    }

    func killWhenWaitingForAStandby(commits: Int, function: String = "pg_terminate_backend") async throws {
        var killed = 0
        while killed < commits {
            let found = try await database.read { transaction in
                try transaction.query("SELECT \(function)(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'").count
            }
            killed += found
            if found == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}
