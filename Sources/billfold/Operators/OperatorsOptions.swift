import ArgumentParser
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Crypto
import Foundation

/// What every operators command takes.
struct OperatorsOptions: ParsableArguments {
    @Option(help: "The servers' data folder, which holds the audit trail's key and, without --database, the store. (default: .billfold)")
    var data: String?
    @OptionGroup var database: DatabaseOptions

    /// Runs one command on the servers' store, in the name of the account that runs it, and prints what it answers.
    func answer(_ work: (OperatorDirectory, _ account: String) async throws -> DatabaseAnswer) async throws {
        try await database.answer {
            let folder = try folder()
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

    /// A store elsewhere has its audit key in some server's folder. A key made beside this command by mistake would begin a trail that no
    /// server can go on with.
    private func folder() throws -> DataFolder {
        let path = data ?? ".billfold"
        if data == nil, database.isElsewhere, !FileManager.default.fileExists(atPath: path + "/audit.key") {
            throw CommandFailure(
                .refused, code: "audit-key-missing",
                reason: "\(path) holds no audit.key: name the data folder of the servers that use this store with --data")
        }
        return try DataFolder(path, encryption: KeyEncryptionKey.encryption())
    }

    private func directory(on store: any InspectableDatabase, _ folder: DataFolder) async throws -> OperatorDirectory {
        guard try await database.runner(Capabilities.mainStore, database.logger).pending(on: store).isEmpty else {
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
