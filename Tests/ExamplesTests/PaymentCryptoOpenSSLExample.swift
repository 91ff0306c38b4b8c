import PaymentCrypto
import PaymentCryptoOpenSSL
import Testing

struct PaymentCryptoOpenSSLExample {
    // Example
    /// Signs with the key of a PKCS#12 file, as acquirers hand them out, and names its certificate by its number.
    func sign(_ text: String, archive file: [UInt8], password: String) throws -> (certId: String, signature: [UInt8]) {
        let archive = try PKCS12Archive(der: file, password: password)
        let signature = try archive.privateKey.signer.signature(over: Array(text.utf8), algorithm: .rsaPKCS1SHA256)
        return (archive.certificate.serialNumber.decimal, signature)
    }

    /// The same by SM2: over the SM3 digest in hexadecimal digits, under the certificate's number as the signer's id.
    func sign(_ text: String, certId: String, key: SM2PrivateKey) throws -> [UInt8] {
        let digest = Hexadecimal.encode(try SM3.hash(Array(text.utf8)))
        return try key.signature(over: Array(digest.utf8), userID: Array(certId.utf8), form: .der)
    }

    /// What a signature that does not fit really signed. It explains, it does not verify.
    func whatWasSigned(_ signature: [UInt8], by key: PublicKey) throws -> RecoveredSignature.Content {
        try OpenSSLRSAPublicKey(key).recover(signature).content
    }
    // End

    @Test func archiveSigns() throws {
        let key = try RSAPrivateKey(bits: 2048)
        let certificate = try ExampleCertificate.make(of: key, number: "4000000021")
        let file = try PKCS12Archive(privateKeyDER: key.pkcs8, certificate: certificate, chain: [])
            .encoded(password: "000000", name: "merchant")
        let text = "txnAmt=3300"
        let signed = try sign(text, archive: file, password: "000000")
        #expect(signed.certId == "4000000021")
        #expect(key.publicKey.isValidSignature(signed.signature, over: Array(text.utf8), algorithm: .rsaPKCS1SHA256))
        guard case .digest(let info) = try whatWasSigned(signed.signature, by: key.publicKey) else {
            Issue.record("no digest was recovered")
            return
        }
        let digest = try OpenSSLHash.sha256.hash(Array(text.utf8))
        #expect(info.algorithm == .sha256)
        #expect(info.digest == digest)
    }

    @Test func sm2KeySigns() throws {
        var random = SystemRandomNumberGenerator()
        let key = try SM2PrivateKey(using: &random)
        let signature = try sign("txnAmt=3300", certId: "4000000021", key: key)
        let digest = Hexadecimal.encode(try SM3.hash(Array("txnAmt=3300".utf8)))
        let id = Array("4000000021".utf8)
        #expect(key.publicKey.isValidSignature(signature, over: Array(digest.utf8), userID: id))
        #expect(!key.publicKey.isValidSignature(signature, over: Array("txnAmt=3300".utf8), userID: id))
    }
}
