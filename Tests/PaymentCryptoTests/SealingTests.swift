import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

struct SealingTests {
    private func key(_ byte: UInt8) throws -> SealingKey { try SealingKey(bytes: [UInt8](repeating: byte, count: 32)) }

    @Test func sealedSecretOpensAfterRotationAndNotAfterRetirement() throws {
        var generator = SeededGenerator(seed: 21)
        var sealer = EnvelopeSealer(ring: KeyRing(active: "k1", try key(1)))
        let sealed = try sealer.seal(Array("secret".utf8), context: [5], using: &generator)
        #expect(try EnvelopeSealer.keyID(of: sealed) == "k1")
        try sealer.ring.add("k2", key(2))
        #expect(try sealer.open(sealed, context: [5]) == Array("secret".utf8))
        let again = try sealer.seal(Array("secret".utf8), context: [5], using: &generator)
        #expect(try EnvelopeSealer.keyID(of: again) == "k2")
        try sealer.ring.retire("k1", at: Date(timeIntervalSince1970: 0))
        #expect(throws: PaymentCryptoError(code: .keyRetired, reason: "")) { try sealer.open(sealed, context: [5]) }
        #expect(try sealer.open(again, context: [5]) == Array("secret".utf8))
    }

    @Test func everyFlippedByteTruncationAndOtherContextIsRefused() throws {
        var generator = SeededGenerator(seed: 22)
        let sealer = EnvelopeSealer(ring: KeyRing(active: "k1", try key(1)))
        let sealed = try sealer.seal(Array("secret".utf8), context: [5], using: &generator)
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 1
            #expect(throws: PaymentCryptoError.self) { try sealer.open(damaged, context: [5]) }
            #expect(throws: PaymentCryptoError.self) { try sealer.open(Array(sealed[..<index]), context: [5]) }
        }
        #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) { try sealer.open(sealed, context: [6]) }
    }

    @Test func sameSecretIsNeverSealedAlike() throws {
        var generator = SeededGenerator(seed: 23)
        let sealer = EnvelopeSealer(ring: KeyRing(active: "k1", try key(1)))
        let sealed = try (0..<100).map { _ in try sealer.seal([UInt8]([1]), using: &generator) }
        #expect(Set(sealed).count == 100)
    }

    @Test func keyDoesNotPrintItself() throws {
        var dumped = ""
        dump(try key(1), to: &dumped)
        #expect(!dumped.contains("SymmetricKey"))
    }
}
