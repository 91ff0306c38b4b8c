import ArgumentParser
import BillfoldPayments
import Crypto
import Foundation
import PaymentCrypto

/// Where the key of the audit chains is, which lies outside the store.
struct AuditKeyOptions: ParsableArguments {
    @Option(
        help:
            "The data folder of the servers that use the store: its audit.key verifies the audit chains, and without --database the store is in it. Default: .billfold, where no store is named."
    )
    var data: String?
    @Option(help: "That key's file alone, in place of --data.")
    var auditKey: String?

    func validate() throws {
        if data != nil, auditKey != nil { throw ValidationError("Name --data or --audit-key, not both.") }
    }

    /// `nil` where no key is named, and the store lies in no data folder. A key that is not there is refused with `audit-key-missing` and
    /// never made.
    func chain(of store: DatabaseOptions) throws -> AuditChain? {
        let folder = data ?? (store.isElsewhere ? nil : DatabaseOptions.standardFolder)
        guard let path = auditKey ?? folder.map({ $0 + "/audit.key" }) else { return nil }
        guard let held = FileManager.default.contents(atPath: path).map(Array.init) else {
            throw CommandFailure(.refused, code: "audit-key-missing", reason: "there is no \(path)")
        }
        if held.count == 32 { return AuditChain(key: SymmetricKey(data: held)) }
        guard !held.starts(with: "-----BEGIN".utf8) else {
            throw CommandFailure(.refused, code: "key-unusable", reason: "\(path) is PEM, and no audit key")
        }
        guard let encryption = try KeyEncryptionKey.encryption() else {
            throw CommandFailure(
                .refused, code: "key-sealed", reason: "\(path) is sealed: name the key's file in \(KeyEncryptionKey.variable)")
        }
        guard let key = try? encryption.open(held, for: "audit.key"), key.count == 32 else {
            throw CommandFailure(.refused, code: "key-unusable", reason: "\(path) does not open with the key-encryption key")
        }
        return AuditChain(key: SymmetricKey(data: key))
    }
}
