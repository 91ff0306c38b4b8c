import BillfoldStorage
import CLibpq

/// A session with `synchronous_commit` off: the server answers before its log is on the disk. It exists to show that the
/// immediate-stop test can fail.
struct WeakPostgreSQL {
    private let connection: OpaquePointer

    init(connection string: String) throws {
        guard let connection = PQconnectdb(string), PQstatus(connection) == CONNECTION_OK else {
            throw StorageError(code: .unavailable, reason: "the server cannot be reached")
        }
        self.connection = connection
        for table in StorageDriver.tables { try run(table) }
        try run("SET synchronous_commit = off")
    }

    func run(writes: Int64, _ report: Report) throws {
        report.line("ready")
        for number in 0..<writes {
            try run(
                """
                BEGIN;
                INSERT INTO entry (lane, number, note) VALUES (0, \(number), 'weak');
                INSERT INTO posting (lane, number, side, amount) VALUES (0, \(number), 0, 1), (0, \(number), 1, -1);
                COMMIT
                """)
            report.line("ack 0 \(number)")
        }
    }

    private func run(_ sql: String) throws {
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else {
            throw StorageError(code: .invalidStatement, reason: String(cString: PQerrorMessage(connection)))
        }
    }
}
