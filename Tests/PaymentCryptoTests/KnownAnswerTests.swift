import BillfoldTestSupport
import Foundation
import PaymentCrypto
import Testing

@Suite(.enabled(if: Vectors.available("apple-pay-acceptance/kat")))
struct KnownAnswerTests {
    private struct LeadingZero: Decodable {
        var privateScalarAHex: String
        var privateScalarBHex: String
        var sharedSecretHex: String
    }

    private struct EmptySecret: Decodable {
        var merchantIdHashHex: String
        var symmetricKeyHex: String
    }

    private struct KDFAndGCM: Decodable {
        var sharedSecretHex: String
        var kdfOtherInfoBase64: String
        var symmetricKeyBase64: String
        var encryptedDataBase64: String
        var ivHex: String
        var plaintext: String
    }

    @Test func leadingZeroOfTheSharedSecretIsKept() throws {
        let vector: LeadingZero = try Vectors.json("apple-pay-acceptance/kat/ecdh-leading-zero.json")
        let a = try P256PrivateKey(scalar: Hexadecimal.decode(vector.privateScalarAHex))
        let b = try P256PrivateKey(scalar: Hexadecimal.decode(vector.privateScalarBHex))
        let expected = try Hexadecimal.decode(vector.sharedSecretHex)
        #expect(expected.count == 32 && expected[0] == 0)
        #expect(try a.sharedSecret(subjectPublicKeyInfo: b.publicKey.subjectPublicKeyInfo) == expected)
        #expect(try b.sharedSecret(x963: #require(a.publicKey.x963)) == expected)
    }

    @Test func degenerateInputsShowTheOrderOfTheParts() throws {
        let vector: EmptySecret = try Vectors.json("apple-pay-acceptance/kat/kdf-empty-z.json")
        let info = [0x0D] + Array("id-aes256-GCMApple".utf8) + (try Hexadecimal.decode(vector.merchantIdHashHex))
        let key = try ConcatenationKDF.derive(sharedSecret: [UInt8](), otherInfo: info)
        #expect(Hexadecimal.encode(key) == vector.symmetricKeyHex)
    }

    @Test func publishedSecretGivesItsKeyAndPlaintext() throws {
        let vector: KDFAndGCM = try Vectors.json("apple-pay-acceptance/kat/payu-ec-kdf-gcm.json")
        let key = try ConcatenationKDF.derive(
            sharedSecret: Hexadecimal.decode(vector.sharedSecretHex), otherInfo: StrictBase64.decode(vector.kdfOtherInfoBase64))
        #expect(StrictBase64.encode(key) == vector.symmetricKeyBase64)
        let plain = try AESGCM(key: key).open(
            StrictBase64.decode(vector.encryptedDataBase64), nonce: Hexadecimal.decode(vector.ivHex))
        #expect(String(decoding: plain, as: UTF8.self) == vector.plaintext)
    }
}

struct CipherTests {
    @Test func longerKeysTakeMoreBlocksAndBeginAlike() throws {
        let short = try ConcatenationKDF.derive(sharedSecret: [UInt8]([1]), otherInfo: [UInt8]([2]), length: 16)
        let one = try ConcatenationKDF.derive(sharedSecret: [UInt8]([1]), otherInfo: [UInt8]([2]), length: 32)
        let three = try ConcatenationKDF.derive(sharedSecret: [UInt8]([1]), otherInfo: [UInt8]([2]), length: 80)
        #expect(short == Array(one.prefix(16)))
        #expect(three.count == 80)
        #expect(Array(three.prefix(32)) == one)
        #expect(Array(three[32..<64]) != one)
        #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) {
            try ConcatenationKDF.derive(sharedSecret: [UInt8](), otherInfo: [UInt8](), length: 0)
        }
        #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) {
            try ConcatenationKDF.derive(sharedSecret: [UInt8](), otherInfo: [UInt8](), length: 8161)
        }
    }

    @Test(arguments: [16, 32], [12, 16, 20])
    func sealedMessageOpensAndEveryFlippedByteIsRefused(_ keySize: Int, _ nonceSize: Int) throws {
        let cipher = try AESGCM(key: [UInt8](repeating: 3, count: keySize))
        let nonce = [UInt8](repeating: 0, count: nonceSize)
        let message = Array("thirty-three bytes of plain text!".utf8)
        let sealed = try cipher.seal(message, nonce: nonce, authenticating: [9])
        #expect(sealed.count == message.count + 16)
        #expect(try cipher.open(sealed, nonce: nonce, authenticating: [9]) == message)
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 1
            #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) {
                try cipher.open(damaged, nonce: nonce, authenticating: [9])
            }
        }
        #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) { try cipher.open(sealed, nonce: nonce) }
        #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) { try cipher.open([UInt8]([1]), nonce: nonce) }
    }

    @Test func unusualKeySizesAndShortNoncesAreRefused() throws {
        for size in [0, 15, 24, 33] {
            #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) {
                try AESGCM(key: [UInt8](repeating: 0, count: size))
            }
        }
        let cipher = try AESGCM(key: [UInt8](repeating: 0, count: 16))
        #expect(throws: PaymentCryptoError(code: .invalidParameter, reason: "")) {
            try cipher.seal([UInt8](), nonce: [UInt8](repeating: 0, count: 11))
        }
    }
}
