import BillfoldTestSupport
import PaymentCrypto
import Testing

struct HybridEncryptionTests {
    @Test func whatIsSealedOpensForItsReceiverAndPurposeAlone() throws {
        var generator = SeededGenerator(seed: 21, label: "hybrid")
        let (key, other) = (try P256PrivateKey(using: &generator), try P256PrivateKey(using: &generator))
        for length in [0, 1, 64, 4_096] {
            let plain = generator.bytes(length)
            let sealed = try HybridEncryption.seal(plain, to: key.publicKey, info: "account")
            #expect(sealed.count == 65 + length + 16)
            #expect(try HybridEncryption.open(sealed, with: key, info: "account") == plain)
            #expect(throws: PaymentCryptoError.self) { try HybridEncryption.open(sealed, with: other, info: "account") }
            #expect(throws: PaymentCryptoError.self) { try HybridEncryption.open(sealed, with: key, info: "key") }
            for place in [0, 1, 64, 65 + length / 2, sealed.count - 1] {
                var damaged = sealed
                damaged[place] ^= 1
                #expect(throws: PaymentCryptoError.self) { try HybridEncryption.open(damaged, with: key, info: "account") }
            }
        }
        for cut in [[], [UInt8](repeating: 4, count: 10), [UInt8](repeating: 4, count: 65)] {
            #expect(throws: PaymentCryptoError.self) { try HybridEncryption.open(cut, with: key, info: "account") }
        }
    }

    @Test func onlyTheRightKindOfKeyIsSealedFor() throws {
        var generator = SeededGenerator(seed: 22, label: "hybrid")
        let key = try P384PrivateKey(using: &generator)
        #expect(throws: PaymentCryptoError.self) { try HybridEncryption.seal([1], to: key.publicKey, info: "account") }
    }
}
