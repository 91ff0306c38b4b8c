import BillfoldTestSupport
import Crypto
import PaymentCrypto
import Testing

@testable import ApplePay

/// What sealing and opening record of themselves.
@Suite struct SealingStepsTests {
    private static let plaintext = SecretBytes(utf8: "Data to encrypt")

    @Test func bothSidesComeToTheSameValues() throws {
        var generator = SeededGenerator(seed: 31, label: "steps")
        let key = try P256PrivateKey(using: &generator)
        let (sealer, opener) = (try PassDataSealer(leaf: key.publicKey), PassDataOpener(key: key))
        var (made, found) = (SealingSteps(), SealingSteps())
        let sealed = try sealer.seal(Self.plaintext, using: &generator, recording: &made)
        let point = try #require(sealed.ephemeralPublicKey)
        _ = try opener.open(encryptedPassData: sealed.encryptedPassData, ephemeralPublicKey: point, recording: &found)
        #expect(
            made.all.map(\.name) == [
                .ephemeralPrivateKey, .ephemeralPublicKey, .leafPublicKey, .sharedSecret, .otherInfo, .kdfInput, .aesKey, .nonce,
                .plaintext,
                .ciphertext, .tag, .encryptedPassData,
            ])
        #expect(
            found.all.map(\.name) == [
                .ephemeralPublicKey, .leafPublicKey, .sharedSecret, .otherInfo, .kdfInput, .aesKey, .nonce, .ciphertext, .tag,
                .encryptedPassData, .plaintext,
            ])
        for step in found.all { #expect(made[step.name] == step.value, "\(step.name)") }
        #expect(made[.plaintext] == Self.plaintext)
        let input = try #require(made[.kdfInput]).reveal()
        #expect(Array(SHA256.hash(data: input)) == made[.aesKey]?.reveal(), "what is shown is what is hashed")
        #expect(made[.encryptedPassData]?.reveal() == sealed.encryptedPassData)
    }

    @Test func theSameScalarSealsTheSame() throws {
        var generator = SeededGenerator(seed: 32, label: "given")
        let sealer = try PassDataSealer(leaf: P256PrivateKey(using: &generator).publicKey)
        var (made, again) = (SealingSteps(), SealingSteps())
        let sealed = try sealer.seal(Self.plaintext, using: &generator, recording: &made)
        let scalar = try #require(made[.ephemeralPrivateKey])
        #expect(try sealer.seal(Self.plaintext, ephemeralScalar: scalar, recording: &again) == sealed)
        for wrong in [
            SecretBytes([UInt8]()), SecretBytes([UInt8](repeating: 0, count: 32)), SecretBytes([UInt8](repeating: 0xFF, count: 32)),
        ] {
            #expect(throws: ApplePayError(code: .sealingFailed, reason: "")) {
                try sealer.seal(Self.plaintext, ephemeralScalar: wrong, recording: &again)
            }
        }
    }

    @Test func whatDoesNotOpenLeavesItsStepsUpToThere() throws {
        var generator = SeededGenerator(seed: 33, label: "not opening")
        let key = try P256PrivateKey(using: &generator)
        let sealed = try PassDataSealer(leaf: key.publicKey).seal(Self.plaintext, using: &generator)
        let point = try #require(sealed.ephemeralPublicKey)
        var steps = SealingSteps()
        #expect(throws: ApplePayError(code: .decryptionRefused, reason: "")) {
            try PassDataOpener(key: key).open(
                encryptedPassData: sealed.encryptedPassData.dropLast() + [0], ephemeralPublicKey: point, recording: &steps)
        }
        #expect(steps[.tag] != nil && steps[.plaintext] == nil)
        var none = SealingSteps()
        #expect(throws: ApplePayError(code: .ephemeralPublicKeyForm, reason: "")) {
            try PassDataOpener(key: key).open(encryptedPassData: [], ephemeralPublicKey: [4], recording: &none)
        }
        #expect(none.all.map(\.name) == [.ephemeralPublicKey, .leafPublicKey])
    }

    @Test func otherSchemeRecordsItsOwn() throws {
        var generator = SeededGenerator(seed: 34, label: "RSA_V2 steps")
        let key = try RSAPrivateKey(bits: 2048)
        let sealer = try RSAPassDataSealer(leaf: key.publicKey)
        var (made, again, found) = (SealingSteps(), SealingSteps(), SealingSteps())
        let sealed = try sealer.seal(Self.plaintext, using: &generator, recording: &made)
        #expect(
            made.all.map(\.name) == [.leafPublicKey, .aesKey, .nonce, .plaintext, .ciphertext, .tag, .encryptedPassData, .wrappedKey])
        let wrapped = try #require(sealed.wrappedKey)
        _ = try RSAPassDataOpener(key: key).open(encryptedPassData: sealed.encryptedPassData, wrappedKey: wrapped, recording: &found)
        for step in found.all { #expect(made[step.name] == step.value, "\(step.name)") }
        let given = try #require(made[.aesKey])
        let second = try sealer.seal(Self.plaintext, aesKey: given, recording: &again)
        #expect(second.encryptedPassData == sealed.encryptedPassData && second.wrappedKey != sealed.wrappedKey)
        #expect(throws: ApplePayError(code: .sealingFailed, reason: "")) {
            try sealer.seal(Self.plaintext, aesKey: SecretBytes([1, 2, 3]), recording: &again)
        }
    }

    @Test func inEarnestNothingIsKeptAndNothingIsShown() throws {
        var off = SealingSteps.off
        var generator = SeededGenerator(seed: 35, label: "off")
        let key = try P256PrivateKey(using: &generator)
        _ = try PassDataSealer(leaf: key.publicKey).seal(Self.plaintext, using: &generator, recording: &off)
        #expect(off.all.isEmpty)
        var kept = SealingSteps()
        _ = try PassDataSealer(leaf: key.publicKey).seal(Self.plaintext, using: &generator, recording: &kept)
        #expect(!"\(kept)".contains("Data to encrypt") && "\(kept)".contains("‹secret›"))
    }
}
