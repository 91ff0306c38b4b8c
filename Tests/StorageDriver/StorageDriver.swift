import BillfoldDiagnosis
import BillfoldStorage
import BillfoldStoragePostgreSQL
import BillfoldStorageSQLite
import Foundation
import Logging

/// Writes rows for as long as it lives and prints a line for each that was acknowledged, so that a test can kill it, cut
/// its power or break its disk and hold the store to what was printed.
///
/// Usage: `billfold-storage-driver ENGINE PLACE LANES WRITES`. ENGINE is `sqlite` or `postgresql` (our adapters), or
/// `sqlite-weak` or `postgresql-weak`: connections of the driver's own with durability lowered, which a test must catch. Behind our own
/// adapters `-patient` makes callers that ask again whatever they are told, for a store that falls ill and is mended.
@main
struct StorageDriver {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let lanes = Int64(arguments[3]), let writes = Int64(arguments[4]) else {
            FileHandle.standardError.write(Data("usage: billfold-storage-driver ENGINE PLACE LANES WRITES\n".utf8))
            exit(64)
        }
        signal(SIGXFSZ, SIG_IGN)
        let report = Report()
        do {
            switch arguments[1] {
            case "sqlite-weak": try WeakSQLite(path: arguments[2]).run(writes: writes, report)
            case "postgresql-weak": try WeakPostgreSQL(connection: arguments[2]).run(writes: writes, report)
            default:
                let words = arguments[1].split(separator: "-")
                let database = try await open(String(words[0]), arguments[2])
                try await prepare(database)
                report.line("ready")
                if words.last == "patient" {
                    await PatientCallers(database: database, report: report).run(lanes: lanes, writes: writes)
                } else {
                    await run(database, lanes: lanes, writes: writes, report)
                }
            }
        } catch {
            report.line("fail open \(error)")
            exit(1)
        }
        report.line("done")
        // Without closing: a store that is closed tidies up, and that is not what is tested.
        _exit(0)
    }

    private static func open(_ engine: String, _ place: String) async throws -> any Database {
        var logger = Logger(label: "billfold.driver") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error
        switch engine {
        case "sqlite":
            var configuration = SQLiteConfiguration(path: place)
            // Small enough that checkpoints happen while the test looks.
            configuration.checkpointPages = 400
            return try SQLiteDatabase(configuration, logger: logger)
        case "postgresql":
            return try await PostgreSQLDatabase(
                PostgreSQLConfiguration(connection: Secret(place)), randomness: SystemRandomNumberGenerator(), logger: logger)
        default:
            throw StorageError(code: .invalidStatement, reason: "no engine \(engine)")
        }
    }

    /// Two postings that add up to nothing, and the row that names them.
    static let tables = [
        "CREATE TABLE IF NOT EXISTS entry (lane BIGINT NOT NULL, number BIGINT NOT NULL, note TEXT NOT NULL, PRIMARY KEY (lane, number))",
        "CREATE TABLE IF NOT EXISTS posting (lane BIGINT NOT NULL, number BIGINT NOT NULL, side BIGINT NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (lane, number, side))",
    ]

    private static func prepare(_ database: any Database) async throws {
        try await database.write { transaction in
            for table in tables { try transaction.execute(table) }
        }
    }

    private static func run(_ database: any Database, lanes: Int64, writes: Int64, _ report: Report) async {
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    do {
                        let first = try await database.read { transaction in
                            try transaction.query("SELECT COALESCE(MAX(number) + 1, 0) FROM entry WHERE lane = ?", [.integer(lane)])[0]
                                .integer(0)
                        }
                        for number in first..<(first + writes) {
                            try await write(database, lane, number)
                            report.line("ack \(lane) \(number)")
                        }
                    } catch {
                        report.line("fail \((error as? StorageError)?.code.description ?? "error") \(lane)")
                    }
                }
            }
        }
    }

    static func write(_ database: any Database, _ lane: Int64, _ number: Int64) async throws {
        try await database.write(
            resolve: { transaction in
                try transaction.query(
                    "SELECT number FROM entry WHERE lane = ? AND number = ?", [.integer(lane), .integer(number)]
                ).first.map { _ in }
            }
        ) { transaction in
            let note = String(repeating: "entry \(lane) \(number) ", count: 8)
            try transaction.execute(
                "INSERT INTO entry (lane, number, note) VALUES (?, ?, ?)", [.integer(lane), .integer(number), .text(note)])
            for (side, amount) in [(Int64(0), number + 1), (1, -number - 1)] {
                try transaction.execute(
                    "INSERT INTO posting (lane, number, side, amount) VALUES (?, ?, ?, ?)",
                    [.integer(lane), .integer(number), .integer(side), .integer(amount)])
            }
        }
    }
}
