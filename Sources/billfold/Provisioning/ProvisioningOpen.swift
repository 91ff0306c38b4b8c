import ApplePay
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import PaymentCrypto

/// `provisioning open`: the broker's side, for a key that is held.
struct ProvisioningOpen: ProvisioningReplying {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a sealed payload with the leaf's private key.",
        discussion: """
            Card number, name and clear digits stay masked unless --reveal is given, or --steps, which prints each intermediate value beside those of \
            --expected. Where the payload does not open, the values up to there are printed all the same. Test keys only.
            """)

    @Option(help: "The leaf's private key in PEM.") var key: String
    @Option(help: "The sealed payload: raw bytes, base64 text, or the answer of seal.") var encryptedPassData: String
    @Option(help: "The ephemeral public key in base64; the answer of seal has it.") var ephemeralPublicKey: String?
    @Option(help: "The wrapped key in base64, for an RSA key; the answer of seal has it.") var wrappedKey: String?
    @Flag(help: "Show the plaintext as it is.") var reveal = false
    @OptionGroup var stepping: SealingStepsOptions
    @OptionGroup var format: AlwaysJSON

    func validate() throws {
        guard ephemeralPublicKey == nil || wrappedKey == nil else {
            throw ValidationError("Give one of --ephemeral-public-key and --wrapped-key.")
        }
    }

    func reply() async throws -> CommandReply {
        guard stepping.steps else {
            var unseen = SealingSteps.off
            let held = try ProvisioningInput.key(key, as: "private key", by: PrivateKey.init(pem:))
            do {
                return reply(try open(by: held, recording: &unseen))
            } catch var failure as ApplePayError where failure.code == .decryptionRefused {
                failure.reason += ": another leaf's key, or sealed in another way; --steps shows each value of a test key's up to there"
                throw failure
            }
        }
        let held = try stepping.testKey(in: key)
        let expected = try stepping.expectations()
        var steps = SealingSteps()
        do {
            return reply(try open(by: held, recording: &steps)).adding(steps, against: expected, on: .opening)
        } catch let error as ApplePayError where error.code != .keyKind {
            // Just then the steps are wanted.
            return CommandReply([], exitCode: 1)
                .adding(steps, against: expected, on: .opening, refusal: CommandFailure(error))
        }
    }

    private func open(by held: PrivateKey, recording steps: inout SealingSteps) throws -> SecretBytes {
        let file = try CommandFile.read(encryptedPassData)
        let sealed = try ProvisioningInput.bytes(file, of: encryptedPassData, member: "encryptedPassData")
        let (point, wrapped) = try sealingKey(in: file)
        switch (held, point, wrapped) {
        case (.p256(let key), let point?, nil):
            return try PassDataOpener(key: key).open(
                encryptedPassData: sealed, ephemeralPublicKey: ProvisioningInput.base64(point, "--ephemeral-public-key"),
                recording: &steps)
        case (.rsa(let key), nil, let wrapped?):
            return try RSAPassDataOpener(key: key).open(
                encryptedPassData: sealed, wrappedKey: ProvisioningInput.base64(wrapped, "--wrapped-key"), recording: &steps)
        default: throw ApplePayError(code: .keyKind, reason: "an ephemeral key takes a P-256 private key, a wrapped key an RSA one")
        }
    }

    private func reply(_ opened: SecretBytes) -> CommandReply {
        let bytes = opened.reveal()
        let text = reveal ? String(decoding: bytes, as: UTF8.self) : Self.masked(bytes)
        return CommandReply([.init("plaintext", .string(text))])
    }

    /// What was sent beside the payload: as the options say it, or else as the answer of seal does.
    private func sealingKey(in file: [UInt8]) throws -> (ephemeralPublicKey: String?, wrappedKey: String?) {
        if ephemeralPublicKey != nil || wrappedKey != nil { return (ephemeralPublicKey, wrappedKey) }
        let point = ProvisioningInput.member("ephemeralPublicKey", of: file)
        let wrapped = ProvisioningInput.member("wrappedKey", of: file)
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
