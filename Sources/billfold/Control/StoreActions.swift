import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import Crypto
import Foundation

/// Does what commands ask on a main store that is open: one way for a command that opened it and for a server that has it.
struct StoreActions: Sendable {
    let database: any Database
    let folder: DataFolder
    let clock: any WallClock
    let uptime: @Sendable () -> Duration

    /// - Parameter account: Who asks, for the audit trail.
    func answer(_ request: StoreRequest, by account: String) async throws -> StoreAnswer {
        switch request {
        case .operators:
            return .operators(
                try await directory().operators().map {
                    .init(
                        name: $0.name, roles: StoreRequest.words($0.roles), addedAt: $0.createdAt.microseconds,
                        disabledAt: $0.disabledAt?.microseconds)
                })
        case .addOperator(let name, let password, let roles):
            try await directory().add(name, password: Secret(password), roles: Set(roles), by: account)
        case .disableOperator(let name): try await directory().disable(name, by: account)
        case .resetOperator(let name, let password): try await directory().reset(name, password: Secret(password), by: account)
        case .makeAPIKey(let merchant, let label): return .madeAPIKey(try await makeAPIKey(for: Self.merchant(merchant), label: label))
        case .endAPIKeys(let merchant, let label):
            return .endedAPIKeys(try await register().revoke(label: label, merchant: Self.merchant(merchant)))
        }
        return .done
    }

    private static func merchant(_ text: String) throws(CommandFailure) -> BillfoldPayments.MerchantID {
        do throws(PaymentsError) {
            return try BillfoldPayments.MerchantID(text)
        } catch { throw CommandFailure(.usage, code: error.code.description, reason: error.reason) }
    }

    private func register() throws -> APIKeyRegister {
        APIKeyRegister(
            database: database, hashing: HashingKey(SymmetricKey(data: try folder.symmetric("hashing").reveal())), clock: clock)
    }

    private func makeAPIKey(for merchant: BillfoldPayments.MerchantID, label: String) async throws -> String {
        guard let mode = try await StoreMode.of(database) else {
            throw CommandFailure(.refused, code: "database-unmigrated", reason: "start a server on the store first")
        }
        let key = "bf_\(mode == .test ? "test" : "live")_\(SystemRandomness.name())\(SystemRandomness.name())"
        try await register().add(Secret(key), merchant: merchant, label: label)
        return key
    }

    private func directory() async throws -> OperatorDirectory {
        let runner = MigrationRunner(Capabilities.mainStore.migrations, clock: clock, logger: .silent)
        guard try await runner.pending(on: database).isEmpty else {
            throw CommandFailure(.refused, code: "database-unmigrated", reason: "run billfold db migrate on the store first")
        }
        let audit = try folder.operatorAudit()
        // A row under another key would break the trail for good.
        guard try await audit.verify(in: database) != .broken(sequence: 1) else {
            throw CommandFailure(
                .refused, code: "audit-key-mismatch", reason: "the audit trail is not under \(folder.path)'s audit.key: see --data")
        }
        return try OperatorDirectory(database: database, clock: clock, uptime: uptime, random: SystemRandomness.source, audit: audit)
    }
}
