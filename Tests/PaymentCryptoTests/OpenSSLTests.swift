import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

struct OpenSSLTests {
    private static let message = Array("a message".utf8)

    @Test(arguments: [SignatureAlgorithm.rsaPKCS1SHA256, .rsaPKCS1SHA384, .rsaPKCS1SHA512])
    func bothLibrariesMakeTheSameRSASignature(_ algorithm: SignatureAlgorithm) throws {
        let key = try RSAPrivateKey(bits: 2048)
        let other = try OpenSSLRSAKey(key)
        #expect(other.publicKey == key.publicKey)
        #expect(
            try other.signature(over: Self.message, algorithm: algorithm)
                == key.signature(over: Self.message, algorithm: algorithm))
        #expect(throws: PaymentCryptoError(code: .unsupportedAlgorithm, reason: "")) {
            try other.signature(over: Self.message, algorithm: .ecdsaSHA256)
        }
    }

    @Test func whicheverLibrarySignsFasterTheSignatureIsTheSame() throws {
        let key = try RSAPrivateKey(bits: 2048)
        let expected = try key.signature(over: Self.message, algorithm: .rsaPKCS1SHA256)
        let fitting = try LegacyRSAPrivateKey(der: key.pkcs8)
        for library in RSALibrary.allCases {
            #expect(try library.signer(key).signature(over: Self.message, algorithm: .rsaPKCS1SHA256) == expected)
            #expect(try library.signer(fitting).signature(over: Self.message, hash: .sha256) == expected)
        }
        #expect(try key.fasterSigner.signature(over: Self.message, algorithm: .rsaPKCS1SHA256) == expected)
        // The trial is made once: a process does not change its mind.
        #expect(try RSALibrary.faster(tryingWith: key) == RSALibrary.faster(tryingWith: RSAPrivateKey(bits: 3072)))
    }

    @Test func everyPairOfOAEPHashesOpensItsOwnAndNoOther() throws {
        let key = try RSAPrivateKey(bits: 2048)
        let secret = [UInt8](repeating: 5, count: 16)
        let closed = try OpenSSLRSAKey(key)
        let open = try OpenSSLRSAPublicKey(key.publicKey)
        let hashes: [OpenSSLHash] = [.sha1, .sha224, .sha256, .sha384, .sha512]
        for hash in hashes {
            for maskHash in hashes {
                let wrapped = try open.sealOAEP(secret, hash: hash, maskHash: maskHash)
                #expect(try closed.openOAEP(wrapped, hash: hash, maskHash: maskHash) == secret)
                let isDefault = hash == .sha256 && maskHash == .sha256
                #expect((try? key.openOAEPSHA256(wrapped)) == (isDefault ? secret : nil))
                #expect(throws: PaymentCryptoOpenSSLError(code: .decryptionFailed, reason: "")) {
                    try closed.openOAEP(wrapped, hash: hash, maskHash: maskHash == .sha1 ? .sha512 : .sha1)
                }
            }
        }
    }

    @Test func whatASignatureSignedIsRecovered() throws {
        let key = try RSAPrivateKey(bits: 2048)
        let open = try OpenSSLRSAPublicKey(key.publicKey)
        let signature = try key.signature(over: Self.message, algorithm: .rsaPKCS1SHA256)
        guard case .digest(let info) = try open.recover(signature).content else {
            Issue.record("no digest was recovered")
            return
        }
        #expect(info.algorithm == .sha256)
        #expect(info.hasNullParameters)
        #expect(try info.digest == OpenSSLHash.sha256.hash(Self.message))
        let legacy = try LegacyRSAPrivateKey(der: key.pkcs8).signature(over: Self.message, hash: .sha1)
        guard case .digest(let old) = try open.recover(legacy).content else {
            Issue.record("no digest was recovered")
            return
        }
        #expect(old.algorithm == .sha1)
        let stranger = try OpenSSLRSAPublicKey(RSAPrivateKey(bits: 2048).publicKey)
        // Another key's modulus may be the smaller one; then the operation itself is refused.
        if let recovered = try? stranger.recover(signature) { #expect(recovered.content == .unrecognised) }
        #expect(throws: PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "")) {
            try open.recover([UInt8](repeating: 1, count: 300))
        }
    }

    @Test func archiveThatWasWrittenOpens() throws {
        var office = try ChainCase.authority()
        let keys: [PrivateKey] = [.p256(try ChainCase.leafKey()), .rsa(try RSAPrivateKey(bits: 2048))]
        for key in keys {
            let certificate = try office.merchantCertificate(key.publicKey, identifier: "merchant.example.shop")
            let archive = PKCS12Archive(
                privateKeyDER: key.pkcs8, certificate: certificate, chain: [office.intermediate, office.root])
            let bytes = try archive.encoded(password: "pass wörd", name: "test")
            let read = try PKCS12Archive(der: bytes, password: "pass wörd")
            #expect(try read.privateKey.publicKey == key.publicKey)
            #expect(read.certificate == certificate)
            #expect(Set(read.chain) == [office.intermediate, office.root])
            #expect(throws: PaymentCryptoOpenSSLError(code: .wrongPassword, reason: "")) {
                try PKCS12Archive(der: bytes, password: "pass word")
            }
            #expect(throws: PaymentCryptoOpenSSLError(code: .malformedArchive, reason: "")) {
                try PKCS12Archive(der: Array(bytes.dropLast(9)), password: "pass wörd")
            }
            #expect(!"\(read)".contains(Hexadecimal.encode(key.pkcs8.suffix(16))))
        }
    }

    @Test(arguments: [
        ("", "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b"),
        ("abc", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ])
    func sm3OfKnownTexts(_ text: String, _ digest: String) throws {
        #expect(Hexadecimal.encode(try SM3.hash(Array(text.utf8))) == digest)
    }

    @Test(arguments: SM2SignatureForm.allCases)
    func sm2SignatureVerifiesUnderItsUserIDAlone(_ form: SM2SignatureForm) throws {
        var generator = SeededGenerator(seed: 41)
        let key = try SM2PrivateKey(using: &generator)
        let id = Array("4000000021".utf8)
        for _ in 0..<20 {
            let message = generator.bytes(40)
            let signature = try key.signature(over: message, userID: id, form: form)
            #expect(form == .der || signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, over: message, userID: id))
            #expect(!key.publicKey.isValidSignature(signature, over: message, userID: Array("1234567812345678".utf8)))
            #expect(!key.publicKey.isValidSignature(signature, over: message + [0], userID: id))
            var damaged = signature
            damaged[signature.count - 1] ^= 1
            #expect(!key.publicKey.isValidSignature(damaged, over: message, userID: id))
            #expect(!key.publicKey.isValidSignature(signature.dropLast(), over: message, userID: id))
        }
    }

    @Test func sm2KeysAreReadFromEveryForm() throws {
        var generator = SeededGenerator(seed: 42)
        let key = try SM2PrivateKey(using: &generator)
        let pem = PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text
        #expect(try SM2PrivateKey(pem: pem).publicKey == key.publicKey)
        #expect(try SM2PrivateKey(der: key.pkcs8).publicKey == key.publicKey)
        let point = Hexadecimal.encode(key.publicKey.subjectPublicKeyInfo.suffix(65))
        #expect(try SM2PublicKey(hex: point) == key.publicKey)
        #expect(try SM2PublicKey(hex: String(point.dropFirst(2))) == key.publicKey)
        let p256 = try ChainCase.leafKey()
        #expect(throws: PaymentCryptoOpenSSLError(code: .malformedKey, reason: "")) { try SM2PrivateKey(der: p256.pkcs8) }
        #expect(throws: PaymentCryptoOpenSSLError(code: .malformedKey, reason: "")) {
            try SM2PublicKey(subjectPublicKeyInfo: p256.publicKey.subjectPublicKeyInfo)
        }
        for scalar in ["", "00", String(repeating: "0", count: 64), String(repeating: "f", count: 64)] {
            #expect(throws: PaymentCryptoOpenSSLError(code: .malformedKey, reason: "")) { try SM2PrivateKey(hex: scalar) }
        }
        #expect(throws: PaymentCryptoOpenSSLError(code: .malformedKey, reason: "")) {
            try SM2PublicKey(hex: String(repeating: "1", count: 128))
        }
        #expect("\(key)" == "SM2 private key")
    }

    @Test func tripleDESTakesWholeBlocksAndUsualKeySizes() throws {
        for size in [0, 8, 15, 32] {
            #expect(throws: PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "")) {
                try TripleDES(key: [UInt8](repeating: 1, count: size))
            }
        }
        let cipher = try TripleDES(key: Array(1...24))
        #expect(throws: PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "")) {
            try cipher.encrypt([UInt8](repeating: 0, count: 7), mode: .ecb)
        }
        #expect(throws: PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "")) {
            try cipher.encrypt([UInt8](repeating: 0, count: 8), mode: .cbc([0]))
        }
        for mode in [TripleDES.Mode.ecb, .cbc(Array(0..<8))] {
            let sealed = try cipher.encrypt([UInt8](repeating: 9, count: 32), mode: mode)
            #expect(try cipher.decrypt(sealed, mode: mode) == [UInt8](repeating: 9, count: 32))
        }
    }
}
