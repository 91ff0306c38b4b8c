import BillfoldStorage
import Dispatch
import GRDBSQLite
import Synchronization

/// A few connections for reads of a few rows, which run on the thread that asks: switching to another thread and back costs
/// several times what such a read does.
///
/// Nobody waits for one. Who finds none free reads through the pool, so that a thread of the caller is never blocked.
final class LookupConnections: Sendable {
    /// One connection. It is touched by one thread at a time: whoever has taken it from the list.
    private final class Connection: @unchecked Sendable {
        private let handle: OpaquePointer
        private var cache = StatementCache()
        private let begin: SQLiteStatement
        private let end: SQLiteStatement
        /// Left when the connection is closed.
        private let alive: DispatchGroup

        init(path: String, alive: DispatchGroup) throws(StorageError) {
            var opened: OpaquePointer?
            let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
            guard code == SQLITE_OK, let opened else {
                sqlite3_close_v2(opened)
                throw .sqlite(code, message: "a connection for lookups cannot be opened")
            }
            do {
                sqlite3_busy_timeout(opened, 5_000)
                try SQLiteStatement.run("PRAGMA query_only=ON", on: opened)
                begin = try SQLiteStatement.prepare("BEGIN", on: opened)
                end = try SQLiteStatement.prepare("COMMIT", on: opened)
            } catch {
                sqlite3_close_v2(opened)
                throw error
            }
            handle = opened
            self.alive = alive
            alive.enter()
        }

        deinit {
            cache.removeAll()
            begin.finalize()
            end.finalize()
            sqlite3_close_v2(handle)
            alive.leave()
        }

        func perform<Result>(_ body: (any Transaction) throws -> Result) throws -> Result {
            let transaction = SQLiteTransaction(writes: false) { [self] sql in try cache.statement(sql, on: handle) }
            _ = try begin.execute([])
            defer { transaction.end() }
            let result = Swift.Result { () throws -> Result in
                let result = try body(transaction)
                if let failure = transaction.failure { throw failure }
                return result
            }
            _ = try end.execute([])
            return try result.get()
        }
    }

    private struct State {
        var idle: [Connection] = []
        var opened = 0
        var isClosed = false
    }

    private let path: String
    private let limit: Int
    private let state = Mutex(State())
    private let alive = DispatchGroup()

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    /// Runs a body on a free connection; `nil` when there is none.
    func perform<Result>(_ body: (any Transaction) throws -> Result) throws -> Result? {
        guard let connection = try take() else { return nil }
        do {
            let result = try connection.perform(body)
            giveBack(connection)
            return result
        } catch {
            // A body's refusal leaves the connection as it was; after an error of SQLite's a new one is opened.
            if error is StorageError { drop() } else { giveBack(connection) }
            throw error
        }
    }

    /// Closes the connections, and those in use when they are given back.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }

    /// Waits, after ``close()``, for those in use.
    func areClosed(within limit: DispatchTimeInterval) -> Bool { alive.wait(timeout: .now() + limit) == .success }

    private func take() throws(StorageError) -> Connection? {
        enum Found {
            case idle(Connection)
            case mayOpen, none
        }
        let found: Found = state.withLock { state in
            if let connection = state.idle.popLast() { return .idle(connection) }
            guard !state.isClosed, state.opened < limit else { return .none }
            state.opened += 1
            return .mayOpen
        }
        switch found {
        case .idle(let connection): return connection
        case .none: return nil
        case .mayOpen:
            do { return try Connection(path: path, alive: alive) } catch {
                drop()
                throw error
            }
        }
    }

    private func giveBack(_ connection: Connection) {
        state.withLock { state in
            if !state.isClosed { state.idle.append(connection) }
        }
    }

    private func drop() { state.withLock { $0.opened -= 1 } }
}
