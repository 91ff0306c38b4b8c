import BillfoldServer
import Foundation
import PaymentCrypto

/// The key that seals private keys at rest: 64 hexadecimal digits in a file that its owner alone can read, kept elsewhere than
/// the keys are, such as in the memory of the machine's secret manager.
enum KeyEncryptionKey {
    static let variable = DataFolder.encryptionVariable
    /// The one before it, while keys are sealed again.
    static let formerVariable = "BILLFOLD_FORMER_KEY_ENCRYPTION_KEY_FILE"

    /// What the environment names; `nil` when it names nothing. Refuses with `encryption-key-unusable`.
    static func encryption(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws(CommandFailure) -> KeyEncryption? {
        guard let path = environment[variable], !path.isEmpty else { return nil }
        let former = try environment[formerVariable].map { former throws(CommandFailure) in [try read(former)] } ?? []
        let key = try read(path)
        do throws(PaymentCryptoError) {
            return try KeyEncryption(key: key, former: former) { SystemRandomness.bits() }
        } catch { throw unusable(path, error.reason) }
    }

    private static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let text = try CommandFile.secret(path) { unusable(path, "is refused: \($0)") }
        let line = text.split(whereSeparator: \.isNewline).first ?? ""
        guard let bytes = try? Hexadecimal.decode(line), bytes.count == 32 else {
            throw unusable(path, "does not begin with 64 hexadecimal digits")
        }
        return bytes
    }

    private static func unusable(_ path: String, _ why: String) -> CommandFailure {
        CommandFailure(.usage, code: "encryption-key-unusable", reason: "\(path) \(why)")
    }
}
