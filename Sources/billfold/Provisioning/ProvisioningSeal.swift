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
            --steps prints each intermediate value beside those of --expected. It wants the leaf's private key, which for a leaf of Apple's nobody \
            has: test keys only. Where the expected values have ephemeralPrivateKey, or for RSA aesKey, that key is taken in place of a fresh one, \
            so that all that follows can be the same.
            """)

    @Option(help: "The leaf certificate in PEM or DER; of several, the marked one. With --leaf-key it may be left out.") var leaf: String?
    @Option(help: "With --steps: the leaf's private key in PEM, marked as a test key.") var leafKey: String?
    @Option(help: "The payload: JSON.") var payload: String
    @OptionGroup var stepping: SealingStepsOptions
    @OptionGroup var format: AlwaysJSON

    func validate() throws {
        guard stepping.steps == (leafKey != nil) else { throw ValidationError("--steps and --leaf-key go together.") }
        guard leaf != nil || leafKey != nil else { throw ValidationError("Give --leaf.") }
    }

    func reply() async throws -> CommandReply {
        let key = try leafPublicKey()
        let scheme: EncryptionScheme = if case .rsa = key.kind { .rsaV2 } else { .eccV2 }
        var plaintext = try CommandFile.read(payload)
        do throws(JSONError) {
            _ = try JSONReader.readObject(plaintext)
        } catch {
            throw CommandFailure(.refused, code: error.code.description, reason: "\(payload) is no payload: \(error.reason)")
        }
        let secret = SecretBytes(taking: &plaintext)
        guard stepping.steps else {
            var generator = SystemRandomNumberGenerator()
            return Self.reply(try scheme.sealer(leaf: key).seal(secret, using: &generator), scheme)
        }
        let expected = try stepping.expectations()
        var steps = SealingSteps()
        let sealed = try Self.seal(secret, to: key, like: expected, recording: &steps)
        return Self.reply(sealed, scheme).adding(steps, against: expected, on: .sealing)
    }

    /// The key to seal to. Where steps are printed, only one whose private half is here, in a file that says that it is a test key.
    private func leafPublicKey() throws -> PublicKey {
        let certified = try leaf.map(ProvisioningInput.leaf)
        if let leafKey {
            let own = try stepping.testKey(in: leafKey).publicKey
            guard certified == nil || certified == own else {
                throw CommandFailure(.refused, code: "key-not-of-leaf", reason: "\(leafKey) is not the private key of the leaf")
            }
            return own
        }
        guard let certified else { throw CommandFailure.usage("--leaf is missing") }
        return certified
    }

    /// Seals with the key that was expected, or with a fresh one.
    private static func seal(
        _ plaintext: SecretBytes, to leaf: PublicKey, like expected: ExpectedSteps?, recording steps: inout SealingSteps
    ) throws -> SealedPassData {
        var generator = SystemRandomNumberGenerator()
        if case .rsa = leaf.kind {
            let sealer = try RSAPassDataSealer(leaf: leaf)
            if let key = expected?[.aesKey] { return try sealer.seal(plaintext, aesKey: key, recording: &steps) }
            return try sealer.seal(plaintext, using: &generator, recording: &steps)
        }
        let sealer = try PassDataSealer(leaf: leaf)
        if let scalar = expected?[.ephemeralPrivateKey] {
            return try sealer.seal(plaintext, ephemeralScalar: scalar, recording: &steps)
        }
        return try sealer.seal(plaintext, using: &generator, recording: &steps)
    }

    private static func reply(_ sealed: SealedPassData, _ scheme: EncryptionScheme) -> CommandReply {
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
