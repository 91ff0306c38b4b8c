import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import PaymentCrypto

/// `provisioning open`: the broker's side, for a key that is held.
struct ProvisioningOpen: ProvisioningReplying {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a sealed payload with the leaf's private key.",
        discussion: "Card number, name and clear digits stay masked unless --reveal is given.")

    @Option(help: "The leaf's private key in PEM.") var key: String
    @Option(help: "The sealed payload: raw bytes, base64 text, or the answer of seal.") var encryptedPassData: String
    @Option(help: "The ephemeral public key in base64; the answer of seal has it.") var ephemeralPublicKey: String?
    @Option(help: "The wrapped key in base64, for an RSA key; the answer of seal has it.") var wrappedKey: String?
    @Flag(help: "Show the plaintext as it is.") var reveal = false
    @OptionGroup var format: AlwaysJSON

    func validate() throws {
        guard ephemeralPublicKey == nil || wrappedKey == nil else {
            throw ValidationError("Give one of --ephemeral-public-key and --wrapped-key.")
        }
    }

    func reply() async throws -> CommandReply {
        let sealed = try ProvisioningInput.bytes(encryptedPassData, member: "encryptedPassData")
        let (point, wrapped) = try sealingKey()
        let opened: SecretBytes
        switch (try ProvisioningInput.key(key, as: "private key", by: PrivateKey.init(pem:)), point, wrapped) {
        case (.p256(let key), let point?, nil):
            opened = try PassDataOpener(key: key).open(
                encryptedPassData: sealed, ephemeralPublicKey: ProvisioningInput.base64(point, "--ephemeral-public-key"))
        case (.rsa(let key), nil, let wrapped?):
            opened = try RSAPassDataOpener(key: key).open(
                encryptedPassData: sealed, wrappedKey: ProvisioningInput.base64(wrapped, "--wrapped-key"))
        default: throw ApplePayError(code: .keyKind, reason: "an ephemeral key takes a P-256 private key, a wrapped key an RSA one")
        }
        let bytes = opened.reveal()
        let text = reveal ? String(decoding: bytes, as: UTF8.self) : Self.masked(bytes)
        return CommandReply([.init("plaintext", .string(text))])
    }

    /// What was sent beside the payload: as the options say it, or else as the answer of seal does.
    private func sealingKey() throws -> (ephemeralPublicKey: String?, wrappedKey: String?) {
        if ephemeralPublicKey != nil || wrappedKey != nil { return (ephemeralPublicKey, wrappedKey) }
        let point = try ProvisioningInput.member("ephemeralPublicKey", of: encryptedPassData)
        let wrapped = try ProvisioningInput.member("wrappedKey", of: encryptedPassData)
        guard (point == nil) != (wrapped == nil) else {
            throw CommandFailure.usage(
                "\(encryptedPassData) names no key, or two: give one of --ephemeral-public-key and --wrapped-key")
        }
        return (point, wrapped)
    }

    /// The payload with what is the cardholder's masked; what is no JSON object stays out of sight.
    static func masked(_ bytes: [UInt8]) -> String {
        guard var object = try? JSONReader.readObject(bytes) else { return Mask.opaque(String(decoding: bytes, as: UTF8.self)) }
        for index in object.members.indices {
            let member = object.members[index]
            let text = member.value.string ?? ""
            switch member.key {
            case "nonce", "nonceSignature", "networkName", "expiration", "encryptedPrimaryAccountNumber", "productType", "version": continue
            case "primaryAccountNumber": object.members[index].value = .string(Mask.cardNumber(text))
            case "primaryAccountNumberPrefix": object.members[index].value = .string(String(text.prefix(6)))
            case "name": object.members[index].value = .string(Mask.name(text))
            default: object.members[index].value = .string(Mask.opaque(text))
            }
        }
        return String(decoding: JSONWriter.write(object), as: UTF8.self)
    }
}
