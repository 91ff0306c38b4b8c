import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

@Suite(.enabled(if: Vectors.available("apple-pay-acceptance/kat")))
struct OpenSSLVectorTests {
    private struct SignedMessage: Decodable {
        var keyPassword: String
        var fields: [String: String]
        var stringToSign: String
        var digestHex: String
        var signature: String
    }

    private struct Consume: Decodable {
        struct SM2: Decodable {
            var userId: String
            var privateKeyPem: String
            var publicKeyPem: String
            var stringToSign: String
            var sm3Hex: String
            var signatureDerBase64: String
            var signatureRawBase64: String
        }
        var sm2: SM2
        enum CodingKeys: String, CodingKey { case sm2 = "sm2-21" }
    }

    private struct Inner3DES: Decodable {
        struct Vector: Decodable {
            var key_hex: String
            var block_hex: String
            var iv_hex: String
            var cipher_hex: String
        }
        var vectors: [Vector]
    }

    @Test func oldMerchantArchiveOpensAndSignsThePublishedMessage() throws {
        let vector: SignedMessage = try Vectors.json("apple-pay-acceptance/kat/unionpay-sign-rsa.json")
        let file = try Vectors.bytes("apple-pay-acceptance/kat/unionpay-test-merchant.pfx")
        let archive = try PKCS12Archive(der: file, password: vector.keyPassword)
        #expect(archive.certificate.serialNumber.decimal == vector.fields["certId"])
        let key = try archive.privateKey
        #expect(try archive.certificate.publicKey == key.publicKey)
        #expect(Hexadecimal.encode(try OpenSSLHash.sha256.hash(Array(vector.stringToSign.utf8))) == vector.digestHex)
        let text = Array(vector.digestHex.utf8)
        let signers: [any MessageSigner] = [key.signer, try OpenSSLRSAKey(der: archive.privateKeyDER)]
        for signer in signers {
            #expect(StrictBase64.encode(try signer.signature(over: text, algorithm: .rsaPKCS1SHA256)) == vector.signature)
        }
        let recovered = try OpenSSLRSAPublicKey(key.publicKey).recover(StrictBase64.decode(vector.signature))
        guard case .digest(let info) = recovered.content else {
            Issue.record("no digest was recovered")
            return
        }
        #expect(try info.digest == OpenSSLHash.sha256.hash(text))
        #expect(throws: PaymentCryptoOpenSSLError(code: .wrongPassword, reason: "")) {
            try PKCS12Archive(der: file, password: "000001")
        }
    }

    @Test func damagedArchiveNeverCrashes() throws {
        let file = try Vectors.bytes("apple-pay-acceptance/kat/unionpay-test-merchant.pfx")
        for index in stride(from: 0, to: file.count, by: 211) {
            var damaged = file
            damaged[index] ^= 0x11
            #expect(throws: PaymentCryptoOpenSSLError.self) { try PKCS12Archive(der: damaged, password: "000000") }
            #expect(throws: PaymentCryptoOpenSSLError.self) { try PKCS12Archive(der: Array(file[..<index]), password: "000000") }
        }
    }

    @Test func publishedSM2SignatureVerifiesInBothForms() throws {
        let vector = try Vectors.json("apple-pay-acceptance/synthetic/unionpay-consume-signing.json", as: Consume.self).sm2
        #expect(Hexadecimal.encode(try SM3.hash(Array(vector.stringToSign.utf8))) == vector.sm3Hex)
        let key = try SM2PrivateKey(pem: vector.privateKeyPem)
        let publicKey = try SM2PublicKey(pem: vector.publicKeyPem)
        #expect(key.publicKey == publicKey)
        let text = Array(vector.sm3Hex.utf8)
        let id = Array(vector.userId.utf8)
        for signature in [vector.signatureDerBase64, vector.signatureRawBase64] {
            #expect(publicKey.isValidSignature(try StrictBase64.decode(signature), over: text, userID: id))
            #expect(!publicKey.isValidSignature(try StrictBase64.decode(signature), over: text, userID: Array("1234567812345678".utf8)))
        }
    }

    @Test(.enabled(if: Vectors.available("in-app-provisioning/visa-inner-3des.json")))
    func tripleDESGivesKnownBlocks() throws {
        let file: Inner3DES = try Vectors.json("in-app-provisioning/visa-inner-3des.json")
        #expect(file.vectors.count >= 2)
        for vector in file.vectors {
            let cipher = try TripleDES(key: Hexadecimal.decode(vector.key_hex))
            let mode = TripleDES.Mode.cbc(try Hexadecimal.decode(vector.iv_hex))
            let block = try Hexadecimal.decode(vector.block_hex)
            let sealed = try cipher.encrypt(block, mode: mode)
            #expect(Hexadecimal.encode(sealed, uppercase: true) == vector.cipher_hex)
            #expect(try cipher.decrypt(sealed, mode: mode) == block)
        }
    }
}
