import ArgumentParser
import BillfoldStorage
import BillfoldStorageSQLite

/// `db backup`: a consistent copy of a SQLite store, made while a server goes on writing.
struct DatabaseBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy a SQLite store to a new file, and check the copy.",
        discussion: "The store may be in use. PostgreSQL has tools of its own: pg_basebackup, pg_dump.")

    @OptionGroup var options: DatabaseOptions
    @Option(help: "The copy's file. It must not exist.") var to: String

    func run() async throws {
        try await options.answer {
            guard case .file(let path) = try options.place else {
                throw ValidationError("A PostgreSQL store is copied with pg_basebackup or pg_dump.")
            }
            try SQLiteDatabase.backUp(file: path, to: to)
            return DatabaseAnswer(text: "copied and checked: \(to)", object: ["copy": to, "passed": true])
        }
    }
}
