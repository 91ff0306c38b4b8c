import ArgumentParser
import BillfoldServer
import BillfoldStorage
import Foundation
import Logging

/// What a command on the store of a role takes.
struct RoleStore: ParsableArguments {
    @Option(help: "The servers' data folder, which holds their keys.") var data = ".billfold"
    @Option(help: "A SQLite file, or a PostgreSQL connection string. Default: that of the servers, by their environment or in the folder.")
    var database: String?
    @Flag(help: "Print one JSON object.") var json = false

    /// The data folder, if these files are in it: those made beside a command would be nobody's.
    func folder(holding names: [String], refusing code: String) throws -> DataFolder {
        for name in names where !FileManager.default.fileExists(atPath: data + "/" + name) {
            throw CommandFailure(
                .refused, code: code, reason: "\(data) holds no \(name): name the data folder of the servers with --data")
        }
        return try DataFolder(data, encryption: KeyEncryptionKey.encryption())
    }

    /// Runs work on the store, which its servers must have made. One on a SQLite file does not run beside them.
    func with<Result>(
        variable: String, file: String, kind: StoreKind, _ work: (any Database) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "billfold.alipay") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let named = (database ?? ProcessInfo.processInfo.environment[variable]).flatMap { $0.isEmpty ? nil : $0 }
        let store = try await DatabasePlace(named ?? data + "/" + file).open(logger, mustExist: true)
        do {
            let runner = MigrationRunner(kind.migrations, clock: SystemClock(), logger: logger)
            guard try await runner.pending(on: store).isEmpty else {
                throw CommandFailure(.refused, code: "database-unmigrated", reason: "start the servers of this version on the store first")
            }
            let result = try await work(store)
            try await store.close()
            return result
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Prints what a command has to say, or ends it with its refusal.
    func answer(_ work: () async throws -> String) async throws {
        do { print(try await work()) } catch { throw CommandFailure.ended(error, asJSON: json) }
    }
}
