import ArgumentParser
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import Crypto
import Foundation

/// `keys api-key`: a shop's credential for the card-payments API.
struct KeysAPIKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "Make an API key and print it once, or end those of a label.",
        discussion: "The store keeps a keyed hash of it, so that nobody can read it there; the hash's key is in the servers' data folder.")

    @Option(help: "The merchant's id, as in the merchants' file.") var merchant: String
    @Option(help: "What the key is called, such as the shop's host.") var label: String
    @Option(help: "The servers' data folder.") var data = ".billfold"
    @Flag(help: "End every key of the merchant with that label.") var revoke = false
    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await options.answer {
            let folder = try DataFolder(data, encryption: KeyEncryptionKey.encryption())
            let merchant = try merchantID()
            let hashing = HashingKey(SymmetricKey(data: try folder.symmetric("hashing").reveal()))
            let database = try await options.place.open(options.logger)
            do {
                guard let mode = try await StoreMode.of(database) else {
                    throw CommandFailure(.refused, code: "database-unmigrated", reason: "start a server on the store first")
                }
                let register = APIKeyRegister(database: database, hashing: hashing, clock: SystemClock())
                let answer = try await revoke ? end(register, merchant) : make(register, for: merchant, mode: mode)
                try await database.close()
                return answer
            } catch {
                try? await database.close()
                throw error
            }
        }
    }

    private func merchantID() throws(CommandFailure) -> BillfoldPayments.MerchantID {
        do throws(PaymentsError) {
            return try BillfoldPayments.MerchantID(merchant)
        } catch { throw CommandFailure(.usage, code: error.code.description, reason: error.reason) }
    }

    private func make(_ register: APIKeyRegister, for merchant: BillfoldPayments.MerchantID, mode: StoreMode) async throws -> DatabaseAnswer
    {
        let key = "bf_\(mode == .test ? "test" : "live")_\(SystemRandomness.name())\(SystemRandomness.name())"
        try await register.add(Secret(key), merchant: merchant, label: label)
        return DatabaseAnswer(text: key, object: ["apiKey": key, "merchant": merchant.description, "label": label])
    }

    private func end(_ register: APIKeyRegister, _ merchant: BillfoldPayments.MerchantID) async throws -> DatabaseAnswer {
        let count = try await register.revoke(label: label, merchant: merchant)
        return DatabaseAnswer(text: "ended \(count) keys", object: ["ended": count], isGood: count > 0)
    }
}
