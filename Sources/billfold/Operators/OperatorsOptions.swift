import ArgumentParser
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Crypto
import Foundation

/// What every operators command takes.
struct OperatorsOptions: ParsableArguments {
    @Option(help: "The servers' data folder, which holds the audit trail's key and, without --database, the store.")
    var data = ".billfold"
    @OptionGroup var database: DatabaseOptions

    /// Runs one command on the servers' store, in the name of the account that runs it, and prints what it answers.
    func answer(_ work: (OperatorDirectory, _ account: String) async throws -> DatabaseAnswer) async throws {
        try await database.answer {
            let folder = try DataFolder(data, encryption: KeyEncryptionKey.encryption())
            let store = try await database.place(in: folder).open(database.logger, mustExist: true)
            do {
                let answer = try await work(directory(on: store, folder), "account:\(NSUserName())")
                try await store.close()
                return answer
            } catch {
                try? await store.close()
                throw error
            }
        }
    }

    private func directory(on store: any InspectableDatabase, _ folder: DataFolder) async throws -> OperatorDirectory {
        guard try await database.runner(database.logger).pending(on: store).isEmpty else {
            throw CommandFailure(.refused, code: "database-unmigrated", reason: "run billfold db migrate on the store first")
        }
        let audit = try folder.operatorAudit()
        // A row under another key would break the trail for good.
        guard try await audit.verify(in: store) != .broken(sequence: 1) else {
            throw CommandFailure(
                .refused, code: "audit-key-mismatch", reason: "the audit trail is not under \(folder.path)'s audit.key: see --data")
        }
        let start = ContinuousClock.now
        return try OperatorDirectory(
            database: store, clock: SystemClock(), uptime: { ContinuousClock.now - start }, random: SystemRandomness.source, audit: audit)
    }
}
