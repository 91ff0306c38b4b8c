import ArgumentParser
import BillfoldServer
import BillfoldStorage
import Foundation
import Logging

/// What every `db` command takes.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help:
            "A SQLite file, or a PostgreSQL connection string. Default: the environment variable BILLFOLD_DATABASE, which keeps a password out of the process list, then the file that serve keeps in the data folder."
    )
    var database: String?

    @Flag(help: "Print one JSON object.") var json = false

    /// The data folder of servers that are told none.
    static let standardFolder = ".billfold"

    /// The store that a server of a data folder opens; of the folder that servers take where none is named.
    func place(in folder: String?) -> DatabasePlace {
        DatabasePlace(named ?? (folder ?? Self.standardFolder) + "/" + ServingProcess.mainStoreFile)
    }

    /// Whether the store is named, and not the file of a data folder.
    var isElsewhere: Bool { named != nil }

    private var named: String? {
        (database ?? ProcessInfo.processInfo.environment["BILLFOLD_DATABASE"]).flatMap { $0.isEmpty ? nil : $0 }
    }

    var logger: Logger {
        var logger = Logger(label: "billfold.db") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return logger
    }

    func runner(_ kind: StoreKind, _ logger: Logger) -> MigrationRunner {
        MigrationRunner(kind.migrations, clock: SystemClock(), logger: logger)
    }

    /// Prints the answer, or the refusal with its code, and ends with the exit code that goes with it.
    func answer(_ work: () async throws -> DatabaseAnswer) async throws {
        do {
            let answer = try await work()
            print(json ? try DatabaseAnswer.encode(answer.object) : answer.text)
            if !answer.isGood { throw ExitCode(1) }
        } catch { throw CommandFailure.ended(error, asJSON: json) }
    }
}
