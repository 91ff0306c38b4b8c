import ApplePay
import ArgumentParser
import BillfoldJSON
import PaymentCrypto

/// `provisioning seal`: the outer layer, made by the leaf's kind of key.
struct ProvisioningSeal: ProvisioningReplying {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Seal a payload to the broker's leaf certificate.",
        discussion: """
            Seals the file's bytes as they are, once they are a JSON object. The chain is not judged here: check-chain does that. An RSA leaf gives wrappedKey in the \
            place of ephemeralPublicKey, and is unconfirmed.
            """)

    @Option(help: "The leaf certificate in PEM or DER; of several, the marked one.") var leaf: String
    @Option(help: "The payload: JSON.") var payload: String
    @OptionGroup var format: AlwaysJSON

    func reply() async throws -> CommandReply {
        let key = try ProvisioningInput.leaf(leaf)
        let scheme: EncryptionScheme = if case .rsa = key.kind { .rsaV2 } else { .eccV2 }
        var plaintext = try CommandFile.read(payload)
        do throws(JSONError) {
            _ = try JSONReader.readObject(plaintext)
        } catch {
            throw CommandFailure(.refused, code: error.code.description, reason: "\(payload) is no payload: \(error.reason)")
        }
        var generator = SystemRandomNumberGenerator()
        let sealed = try scheme.sealer(leaf: key).seal(SecretBytes(taking: &plaintext), using: &generator)
        var members: [JSONObject.Member] = [.init("encryptedPassData", .string(StrictBase64.encode(sealed.encryptedPassData)))]
        switch sealed.key {
        case .ephemeralPublicKey(let point): members.append(.init("ephemeralPublicKey", .string(StrictBase64.encode(point))))
        case .wrappedKey(let wrapped): members.append(.init("wrappedKey", .string(StrictBase64.encode(wrapped))))
        }
        members.append(.init("publicKeyHash", .string(Hexadecimal.encode(sealed.publicKeyHash))))
        members.append(.init("encryptionScheme", .string(scheme.rawValue)))
        if !scheme.isConfirmed { members.append(.init("confirmed", false)) }
        return CommandReply(members)
    }
}
