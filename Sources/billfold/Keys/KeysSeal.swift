import ArgumentParser
import BillfoldServer
import Foundation
import PaymentCrypto

/// `keys seal`: what lies in plain, or under the former key-encryption key, is sealed under the present one.
struct KeysSeal: KeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Seal every private key at rest under the key-encryption key.",
        discussion: """
            \(KeyEncryptionKey.variable) names the key's file; \(KeyEncryptionKey.formerVariable) the one that seals them now, if \
            another one does. Back the key-encryption key up apart from the keys: without it they are lost.
            """)

    @Option(help: "A server's data folder, whose own keys are sealed too.") var data: String?
    @Option(help: "An issuer's file, the keys in whose folder are sealed too.") var issuer: String?
    @OptionGroup var options: KeysOptions

    func reply(now: Date) throws -> KeysReply {
        guard let encryption = try KeyEncryptionKey.encryption() else {
            throw CommandFailure(.usage, code: "encryption-key-missing", reason: "name its file in \(KeyEncryptionKey.variable)")
        }
        // Whoever seals an issuer's keys need not have a key store as merchants have.
        let hasStore = issuer == nil || FileManager.default.fileExists(atPath: options.store)
        let sealed = hasStore ? try options.keyStore.seal() : 0
        let own = try data.map { try DataFolder($0, encryption: encryption).sealSymmetricKeys() } ?? 0
        let shared = try issuer.map { try IssuerFileOnDisk($0).keyFolder(encryption, takesPlain: true).seal() } ?? 0
        return KeysReply(
            text: "sealed \(sealed) private keys, \(own) keys of the data folder and \(shared) keys of the issuer",
            object: ["privateKeys": .number(sealed), "dataKeys": .number(own), "issuerKeys": .number(shared)])
    }
}
