import ArgumentParser
import BillfoldServer
import BillfoldStorage
import BillfoldStorageSQLite
import Foundation

/// `db backup`: a consistent copy of a SQLite store, made while a server goes on writing.
struct DatabaseBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy a SQLite store to a new file, and check the copy.",
        discussion: """
            The store may be in use, and may be any server's. The copy is checked as db check does; the copy of a store that is not sound \
            stays, and the command exits with 1. PostgreSQL has tools of its own: pg_basebackup, pg_dump.
            """)

    @OptionGroup var options: DatabaseOptions
    @OptionGroup var audit: AuditKeyOptions
    @Option(help: "The copy's file. It must not exist.") var to: String

    func run() async throws {
        try await options.answer {
            guard case .file(let path) = options.place(in: audit.data) else {
                throw ValidationError("A PostgreSQL store is copied with pg_basebackup or pg_dump.")
            }
            try DatabasePlace.file(path).requireStore()
            let (logger, links) = (options.logger, try audit.chain(of: options))
            try SQLiteDatabase.backUp(file: path, to: to)
            // What opening it for the check leaves beside it is none of the copy.
            defer { try? FileManager.default.removeItem(atPath: to + ".lock") }
            let copy = try await DatabasePlace.file(to).open(logger, mustExist: true)
            let check: DatabaseAnswer
            do {
                let kind = try await StoreKinds.known.existing(in: copy)
                check = try await DatabaseCheck.check(copy, of: kind, by: options.runner(kind, logger), links: links)
                try await copy.close()
            } catch {
                try? await copy.close()
                let failure = CommandFailure(error)
                return DatabaseAnswer(
                    text: "copied to \(to), and not checked: \(failure.reason)",
                    object: ["copy": to, "passed": false, "error": ["code": failure.code, "reason": failure.reason]], isGood: false)
            }
            guard check.isGood else {
                return DatabaseAnswer(
                    text: "copied to \(to), which is what was there:\n\(check.text)",
                    object: check.object.merging(["copy": to]) { $1 }, isGood: false)
            }
            return DatabaseAnswer(text: "copied and checked: \(to)", object: ["copy": to, "passed": true])
        }
    }
}
