import BillfoldJSON
import BillfoldPayments
import BillfoldSandbox
import BillfoldServer
import CardPaymentsServer
import Foundation
import NIOHTTP1
import PaymentCrypto
import UnionPay

/// A part of the sandbox of the party's own, in which nobody else's orders are and whose time its key moves.
extension OwnPartyRegistration {
    /// Whose card orders the party's key makes: its own merchant's, or those of the sandbox's shop.
    var cardMerchant: BillfoldPayments.MerchantID {
        get throws { try (givesSpace ? OwnMerchant.id(slug) : nil) ?? BillfoldPayments.MerchantID(MerchantInstallation.sandboxMerchant) }
    }

    /// Makes the space of a merchant, or gives it a new key: its card orders, its number at UnionPay, and its express orders live in it.
    func enrol(_ merchant: BillfoldPayments.MerchantID, partner: String, key: String) async throws {
        guard givesSpace, let number = OwnMerchant.acquirerID(of: merchant) else { return }
        let store = KeyStore(
            folder: URL(fileURLWithPath: place.data, isDirectory: true).appendingPathComponent(MerchantInstallation.sandboxKeys),
            encryption: try KeyEncryptionKey.encryption())
        let signing = try store.keys.first { $0.purpose == .signing && $0.kind == .rsa && $0.state == .active }
        guard let certificate = try signing.flatMap({ try store.certificate($0.id) }) else {
            throw CommandFailure(.refused, code: "key-unusable", reason: "the sandbox's merchant has no key to sign with yet")
        }
        _ = try await LocalClient.send(
            .POST, addresses.origin(of: .unionPay) + "/unionpay/control/merchants",
            object: JSONObject([.init("merId", .string(number.description)), .init("certificate", .string(certificate.pem))]))
        try await space(of: [merchant.description, number.description, partner], key: key)
    }

    /// What the key of an acquirer's space begins with.
    static let spaceKeyPrefix = "bf_space_"

    /// Makes the space of an acquirer, and the key that moves its time.
    func spaceKey(of acquirer: String) async throws -> [OwnPartyFolder.Variable] {
        guard givesSpace else { return [] }
        let key = Self.spaceKeyPrefix + "\(SystemRandomness.name())\(SystemRandomness.name())"
        try await space(of: [acquirer], key: key)
        return try bearer("BILLFOLD_SPACE_KEY", key, in: "space.key", being: "What moves your own time, a bearer.")
    }

    /// How the space's time is moved, for the steps; nothing where there is no space.
    func clockSteps(of role: SandboxRegister.Role) -> [String] {
        guard givesSpace else { return [] }
        let key = OwnPartyFolder.quoted(folder.path(role == .acquirer ? "space.key" : "api.key"))
        return ["your own time, for what expires: billfold sandbox clock --key-file \(key) --advance 31m\(place.words)"]
    }

    private func space(of owners: [String], key: String) async throws {
        try await FolderSpaces(place.data).enrol("own-\(slug)", keyHash: PartyCredentials.hash(key), owners: owners)
    }
}
