import BillfoldTestSupport
import Crypto
import CryptoExtras
import Foundation
import PaymentCrypto
import Testing

struct KeyTests {
    @Test func ellipticKeysAreReadFromEveryForm() throws {
        let p256 = P256.Signing.PrivateKey()
        let sec1 = try innerKey(of: Array(p256.derRepresentation))
        let pkcs8PEM = p256.pemRepresentation
        let sec1PEM = PEMText.Block(label: "EC PRIVATE KEY", bytes: sec1).text
        let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
        let expected = [UInt8](p256.publicKey.derRepresentation)
        for key in [
            try PrivateKey(der: Array(p256.derRepresentation)), try PrivateKey(der: sec1), try PrivateKey(pem: pkcs8PEM),
            try PrivateKey(pem: sec1PEM), try PrivateKey(pem: parameters + sec1PEM),
        ] {
            #expect(key.publicKey.subjectPublicKeyInfo == expected)
            #expect(key.publicKey.kind == .p256)
        }
        let p384 = P384.Signing.PrivateKey()
        #expect(try PrivateKey(der: Array(p384.derRepresentation)).publicKey.kind == .p384)
        #expect(
            try PrivateKey(der: innerKey(of: Array(p384.derRepresentation))).publicKey.subjectPublicKeyInfo
                == Array(p384.publicKey.derRepresentation))
    }

    @Test func rsaKeysAreReadFromBothForms() throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        for der in [rsa.derRepresentation, rsa.pkcs8DERRepresentation] {
            let key = try PrivateKey(der: Array(der))
            #expect(key.publicKey.kind == .rsa(bits: 2048))
            #expect(key.publicKey.subjectPublicKeyInfo == Array(rsa.publicKey.derRepresentation))
        }
        #expect(try PrivateKey(pem: rsa.pemRepresentation).publicKey.kind == .rsa(bits: 2048))
        #expect(try PublicKey(pem: rsa.publicKey.pemRepresentation).kind == .rsa(bits: 2048))
    }

    @Test func smallRSAKeyIsRefused() throws {
        let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) { try PrivateKey(der: Array(small.derRepresentation)) }
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) {
            try PublicKey(subjectPublicKeyInfo: Array(small.publicKey.derRepresentation))
        }
    }

    @Test func encryptedAndMissingPrivateKeysAreToldApart() {
        let encrypted = PEMText.Block(label: "ENCRYPTED PRIVATE KEY", bytes: [1]).text
        #expect(throws: PaymentCryptoError(code: .unsupportedKey, reason: "")) { try PrivateKey(pem: encrypted) }
        #expect(throws: PaymentCryptoError(code: .malformedPEM, reason: "")) { try PrivateKey(pem: "nothing") }
    }

    @Test func privateKeyDoesNotPrintItself() throws {
        var generator = SeededGenerator(seed: 11)
        let key = try P256PrivateKey(using: &generator)
        var dumped = ""
        dump(PrivateKey.p256(key), to: &dumped)
        dump(key, to: &dumped)
        let scalar = Hexadecimal.encode(key.pkcs8.dropFirst(36).prefix(32))
        #expect(!dumped.lowercased().contains(scalar))
        #expect("\(key)" == "P-256 private key")
        #expect(!dumped.contains("rawRepresentation"))
    }

    @Test func keyFromASeedIsTheSameEachTime() throws {
        var first = SeededGenerator(seed: 12)
        var second = SeededGenerator(seed: 12)
        #expect(try P256PrivateKey(using: &first).publicKey == P256PrivateKey(using: &second).publicKey)
        #expect(try P384PrivateKey(using: &first).publicKey == P384PrivateKey(using: &second).publicKey)
    }

    @Test func pointOffTheCurveIsRefused() throws {
        var generator = SeededGenerator(seed: 13)
        let key = try P256PrivateKey(using: &generator)
        var info = key.publicKey.subjectPublicKeyInfo
        info[90] ^= 1
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) { try PublicKey(subjectPublicKeyInfo: info) }
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) { try key.sharedSecret(subjectPublicKeyInfo: info) }
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) { try key.sharedSecret(x963: [UInt8(4)]) }
        #expect(throws: PaymentCryptoError(code: .malformedKey, reason: "")) {
            try key.sharedSecret(x963: [4] + [UInt8](repeating: 0, count: 64))
        }
    }

    @Test(arguments: [SignatureAlgorithm.ecdsaSHA256, .ecdsaSHA384])
    func curveDoesNotChooseTheDigest(_ algorithm: SignatureAlgorithm) throws {
        var generator = SeededGenerator(seed: 14)
        let message = Array("a message".utf8)
        let signers: [any MessageSigner] = [try P256PrivateKey(using: &generator), try P384PrivateKey(using: &generator)]
        for signer in signers {
            let signature = try signer.signature(over: message, algorithm: algorithm)
            #expect(signer.publicKey.isValidSignature(signature, over: message, algorithm: algorithm))
            let other: SignatureAlgorithm = algorithm == .ecdsaSHA256 ? .ecdsaSHA384 : .ecdsaSHA256
            #expect(!signer.publicKey.isValidSignature(signature, over: message, algorithm: other))
            #expect(!signer.publicKey.isValidSignature(signature, over: message + [0], algorithm: algorithm))
            let size = signer.publicKey.kind == .p256 ? 32 : 48
            let pair = try #require(ECDSASignaturePair.raw(der: signature, coordinateSize: size))
            #expect(signer.publicKey.isValidSignature(pair: pair, over: message, algorithm: algorithm))
            #expect(!signer.publicKey.isValidSignature(pair: pair.dropLast(), over: message, algorithm: algorithm))
            #expect(ECDSASignaturePair.der(raw: pair) == signature)
        }
        #expect(!signers[0].publicKey.isValidSignature([UInt8](), over: message, algorithm: algorithm))
    }

    @Test func algorithmThatDoesNotFitTheKeyIsRefused() throws {
        var generator = SeededGenerator(seed: 15)
        let elliptic = try P256PrivateKey(using: &generator)
        let rsa = try RSAPrivateKey(bits: 2048)
        let message: [UInt8] = [1]
        #expect(throws: PaymentCryptoError(code: .unsupportedAlgorithm, reason: "")) {
            try elliptic.signature(over: message, algorithm: .rsaPKCS1SHA256)
        }
        #expect(throws: PaymentCryptoError(code: .unsupportedAlgorithm, reason: "")) {
            try rsa.signature(over: message, algorithm: .ecdsaSHA256)
        }
        let signature = try rsa.signature(over: message, algorithm: .rsaPKCS1SHA256)
        #expect(rsa.publicKey.isValidSignature(signature, over: message, algorithm: .rsaPKCS1SHA256))
        for wrong in SignatureAlgorithm.allCases where wrong != .rsaPKCS1SHA256 {
            #expect(!rsa.publicKey.isValidSignature(signature, over: message, algorithm: wrong))
        }
        let legacy = try LegacyRSAPrivateKey(der: rsa.pkcs8)
        #expect(!legacy.publicKey.isValidSignature(signature, over: message, hash: .sha1))
        #expect(legacy.publicKey.isValidSignature(signature, over: message, hash: .sha256))
        let old = try legacy.signature(over: message, hash: .sha1)
        #expect(legacy.publicKey.isValidSignature(old, over: message, hash: .sha1))
        #expect(!rsa.publicKey.isValidSignature(old, over: message, algorithm: .rsaPKCS1SHA256))
    }

    @Test func wrappedSecretOpensAndAnyDamageIsRefused() throws {
        let key = try RSAPrivateKey(bits: 2048)
        let secret = [UInt8](repeating: 7, count: 16)
        let wrapped = try key.publicKey.sealOAEPSHA256(secret)
        #expect(wrapped.count == 256)
        #expect(try key.openOAEPSHA256(wrapped) == secret)
        for index in stride(from: 0, to: 256, by: 17) {
            var damaged = wrapped
            damaged[index] ^= 1
            #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) { try key.openOAEPSHA256(damaged) }
        }
        #expect(throws: PaymentCryptoError(code: .decryptionFailed, reason: "")) { try key.openOAEPSHA256(wrapped.dropLast()) }
    }

    /// The SEC1 key inside a PKCS#8 one: its last OCTET STRING.
    private func innerKey(of pkcs8: [UInt8]) throws -> [UInt8] {
        let start = try #require((8..<60).first { pkcs8[$0] == 0x30 && $0 > 20 && pkcs8[$0...].count == lengthOf(pkcs8, $0) })
        return Array(pkcs8[start...])
    }

    private func lengthOf(_ bytes: [UInt8], _ index: Int) -> Int {
        bytes[index + 1] < 0x80 ? 2 + Int(bytes[index + 1]) : bytes[index + 1] == 0x81 ? 3 + Int(bytes[index + 2]) : 0
    }
}
