import ApplePayForging
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

@Suite struct PassDataSealingTests {
    private static let plaintext = SecretBytes(utf8: "Data to encrypt")

    @Test func everyPayloadHasAKeyOfItsOwnAndOpens() throws {
        var generator = SeededGenerator(seed: 21, label: "sealing")
        let key = try P256PrivateKey(using: &generator)
        let sealer = try EncryptionScheme.eccV2.sealer(leaf: key.publicKey)
        let opener = PassDataOpener(key: key)
        var points: Set<[UInt8]> = []
        for _ in 0..<50 {
            let sealed = try sealer.seal(Self.plaintext, using: &generator)
            #expect(sealed.scheme == .eccV2)
            #expect(sealed.wrappedKey == nil)
            #expect(sealed.publicKeyHash == opener.publicKeyHash)
            #expect(sealed.encryptedPassData.count == Self.plaintext.count + 16)
            let point = try #require(sealed.ephemeralPublicKey)
            #expect(point.count == 65 && point.first == 4)
            points.insert(point)
            #expect(try opener.open(encryptedPassData: sealed.encryptedPassData, ephemeralPublicKey: point) == Self.plaintext)
        }
        #expect(points.count == 50)
    }

    @Test func sameSeedSealsTheSame() throws {
        var generator = SeededGenerator(seed: 22, label: "sealing key")
        let sealer = try PassDataSealer(leaf: P256PrivateKey(using: &generator).publicKey)
        var one = SeededGenerator(seed: 23, label: "one")
        var two = SeededGenerator(seed: 23, label: "two")
        #expect(try sealer.seal(Self.plaintext, using: &one) == sealer.seal(Self.plaintext, using: &two))
    }

    @Test func whatIsNotOursDoesNotOpen() throws {
        var generator = SeededGenerator(seed: 24, label: "not opening")
        let key = try P256PrivateKey(using: &generator)
        let sealed = try PassDataSealer(leaf: key.publicKey).seal(Self.plaintext, using: &generator)
        let point = try #require(sealed.ephemeralPublicKey)
        let opener = PassDataOpener(key: key)
        func code(_ data: [UInt8], _ point: [UInt8], _ opener: PassDataOpener) -> String? {
            do {
                _ = try opener.open(encryptedPassData: data, ephemeralPublicKey: point)
                return nil
            } catch { return error.code.description }
        }
        #expect(code(sealed.encryptedPassData, point, opener) == nil)
        #expect(code(sealed.encryptedPassData, point, PassDataOpener(key: try P256PrivateKey(using: &generator))) == "decryption-refused")
        #expect(code(Array(sealed.encryptedPassData.dropLast(16)), point, opener) == "decryption-refused")
        #expect(code([1], point, opener) == "decryption-refused")
        for wrong in [Array(point.dropFirst()), [2] + point[1..<33], [], [4] + [UInt8](repeating: 1, count: 64)] {
            #expect(code(sealed.encryptedPassData, wrong, opener) == "ephemeral-public-key-form")
        }
    }

    @Test func leafOfAnotherKindIsRefused() throws {
        var generator = SeededGenerator(seed: 25, label: "leaf kinds")
        let refused = ApplePayError(code: .leafKeyKind, reason: "")
        let (p384, rsa) = (try P384PrivateKey(using: &generator).publicKey, try RSAPrivateKey(bits: 2048).publicKey)
        #expect(throws: refused) { try EncryptionScheme.eccV2.sealer(leaf: p384) }
        #expect(throws: refused) { try EncryptionScheme.eccV2.sealer(leaf: rsa) }
        #expect(throws: refused) { try EncryptionScheme.rsaV2.sealer(leaf: p384) }
        #expect(try EncryptionScheme.rsaV2.sealer(leaf: rsa).scheme == .rsaV2)
        #expect(EncryptionScheme.eccV2.isConfirmed)
        #expect(!EncryptionScheme.rsaV2.isConfirmed)
    }

    @Test func generatorThatRepeatsAnUnusableDrawIsNoticed() throws {
        struct Broken: RandomNumberGenerator { mutating func next() -> UInt64 { .max } }
        var seeded = SeededGenerator(seed: 26, label: "leaf")
        let sealer = try PassDataSealer(leaf: P256PrivateKey(using: &seeded).publicKey)
        var broken = Broken()
        #expect(throws: ApplePayError(code: .sealingFailed, reason: "")) { try sealer.seal(Self.plaintext, using: &broken) }
    }

    @Test(arguments: [(16, 16), (16, 12), (32, 16), (32, 12)])
    func unconfirmedSchemeOpensUnderItsParameters(keyLength: Int, nonceLength: Int) throws {
        var generator = SeededGenerator(seed: 27, label: "RSA_V2")
        let key = try RSAPrivateKey(bits: 2048)
        let parameters = RSAPassDataParameters(keyLength: keyLength, nonceLength: nonceLength)
        let sealed = try RSAPassDataSealer(leaf: key.publicKey, parameters: parameters).seal(Self.plaintext, using: &generator)
        #expect(sealed.scheme == .rsaV2)
        #expect(sealed.ephemeralPublicKey == nil)
        let wrapped = try #require(sealed.wrappedKey)
        #expect(wrapped.count == 256)
        #expect(
            try RSAPassDataOpener(key: key, parameters: parameters)
                .open(encryptedPassData: sealed.encryptedPassData, wrappedKey: wrapped) == Self.plaintext)
        let other = RSAPassDataParameters(keyLength: keyLength == 16 ? 32 : 16, nonceLength: nonceLength)
        #expect(throws: ApplePayError(code: .decryptionRefused, reason: "")) {
            try RSAPassDataOpener(key: key, parameters: other).open(encryptedPassData: sealed.encryptedPassData, wrappedKey: wrapped)
        }
    }

    @Test func simulatedNonceIsBoundToDeviceAndAccount() throws {
        var generator = SeededGenerator(seed: 28, label: "nonces")
        let authority = try ProvisioningAuthority(at: Date(timeIntervalSince1970: 1_795_000_000), using: &generator)
        let challenge = try authority.challenge(secureElement: "04", account: "a", using: &generator)
        #expect(challenge.nonceSignature.first == 0x40)
        #expect(authority.isValid(challenge, secureElement: "04", account: "a"))
        #expect(!authority.isValid(challenge, secureElement: "05", account: "a"))
        #expect(!authority.isValid(challenge, secureElement: "04", account: "b"))
        let other = try authority.challenge(secureElement: "04", account: "a", using: &generator)
        let mixed = try ProvisioningChallenge(nonce: other.nonce, nonceSignature: challenge.nonceSignature)
        #expect(!authority.isValid(mixed, secureElement: "04", account: "a"))
        let unmarked = try ProvisioningChallenge(nonce: challenge.nonce, nonceSignature: [0x41] + challenge.nonceSignature.dropFirst())
        #expect(!authority.isValid(unmarked, secureElement: "04", account: "a"))
    }
}
