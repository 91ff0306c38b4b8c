import Alipay
import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import PaymentCryptoOpenSSL
import Testing

struct KeyTests {
    @Test func keysAreReadFromPEMAndFromOneLine() throws {
        let key = TestParty.merchant.key
        let line = StrictBase64.encode(key.publicKey.subjectPublicKeyInfo)
        for text in [key.publicKey.pem, line, line + "\n", key.publicKey.pem.replacing("\n", with: "\r\n")] {
            #expect(try AlipayKeyText.publicKey(text) == key.publicKey)
        }
        let pem = PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text
        for text in [pem, StrictBase64.encode(key.pkcs8)] { #expect(try AlipayKeyText.privateKey(text).publicKey == key.publicKey) }
        for text in ["", "nonsense", "-----BEGIN PUBLIC KEY-----", pem] {
            #expect(throws: refused(.unusableKey)) { try AlipayKeyText.publicKey(text) }
        }
        for text in ["", "nonsense", key.publicKey.pem] { #expect(throws: refused(.unusableKey)) { try AlipayKeyText.privateKey(text) } }
        #expect(key.publicKey.bits == 1024)
        #expect("\(key)" == "RSA private key")
        #expect(Mirror(reflecting: key).children.isEmpty)
        #expect(throws: PaymentCryptoError.self) { try LegacyRSAPrivateKey(bits: 512) }
        var generator = SeededGenerator(seed: 7)
        let other = try P256PrivateKey(using: &generator).publicKey
        #expect(throws: PaymentCryptoError.self) { try LegacyRSAPublicKey(subjectPublicKeyInfo: other.subjectPublicKeyInfo) }
    }

    @Test func everyLibrarySignsTheSame() async throws {
        let key = try RSAPrivateKey(bits: 2048)
        let message = bytes("a=1")
        let signers = [
            AlipayRSASigner.rsa2(key), .rsa2(try OpenSSLRSAKey(key)), .rsa2(try LegacyRSAPrivateKey(der: key.pkcs8)),
            .rsa2(try OpenSSLLegacyRSAKey(der: key.pkcs8)),
        ]
        var signatures: Set<String> = []
        for signer in signers { signatures.insert(try await signer.sign(message)) }
        #expect(signatures.count == 1)
        let keys = AlipayVerificationKeys(rsa2: try LegacyRSAPublicKey(subjectPublicKeyInfo: key.publicKey.subjectPublicKeyInfo))
        #expect(try keys.isValid(#require(signatures.first), over: message, .rsa2))
        #expect(throws: refused(.unknownKey)) { try keys.isValid("AAAA", over: message, .rsa) }
        #expect(throws: refused(.unknownKey)) { try keys.isValid("AAAA", over: message, .md5) }
        #expect(throws: PaymentCryptoOpenSSLError.self) { try OpenSSLLegacyRSAKey(der: [1]) }
        #expect("\(try OpenSSLLegacyRSAKey(TestParty.merchant.key))" == "RSA private key")
    }

    @Test func keyThatCannotSignIsSaidSo() async throws {
        struct Broken: LegacyRSASigner {
            let publicKey = TestParty.merchant.key.publicKey
            func signature(over message: some ContiguousBytes, hash: LegacyRSAHash) throws(PaymentCryptoError) -> [UInt8] {
                throw PaymentCryptoError(code: .signingFailed, reason: "out of order")
            }
        }
        await #expect(throws: refused(.unusableKey)) { try await AlipayRSASigner.rsa(Broken()).sign([]) }
    }

    @Test func md5IsComparedExactly() async throws {
        let party = TestParty.merchant
        let signature = try await party.md5.sign(bytes("a=1"))
        #expect(try party.keys.isValid(signature, over: bytes("a=1"), .md5))
        #expect(try !party.keys.isValid(signature.uppercased(), over: bytes("a=1"), .md5))
        #expect(try !party.keys.isValid("", over: bytes("a=1"), .md5))
    }

    // MARK: Certificates

    private struct Office {
        let root: ParsedCertificate
        let issuer: CertificateIssuer
        static let start = Date(timeIntervalSince1970: 1_767_225_600)

        init(_ name: String) throws {
            let key = try RSAPrivateKey(bits: 2048)
            let subject = CertificateName([.init(type: .countryName, value: "CN"), .init(type: .commonName, value: name)])
            issuer = CertificateIssuer(name: subject, signer: key, algorithm: .rsaPKCS1SHA256)
            root = try issuer.issue(
                CertificateTemplate(
                    serialNumber: SerialNumber(magnitude: [1]), subject: subject, notBefore: Self.start, notAfter: Self.start + 86_400,
                    publicKey: key.publicKey, isCertificateAuthority: true, keyUsage: [.certificateSigning]))
        }

        func leaf(_ key: PublicKey, serial: UInt8) throws -> ParsedCertificate {
            try issuer.issue(
                CertificateTemplate(
                    serialNumber: SerialNumber(magnitude: [serial]), subject: CertificateName([.init(type: .commonName, value: "leaf")]),
                    notBefore: Self.start, notAfter: Self.start + 86_400, publicKey: key))
        }
    }

    @Test func downloadedCertificateIsBelievedOnceItChains() throws {
        let (office, other) = (try Office("Root, \"A\" + B"), try Office("Root B"))
        let key = try RSAPrivateKey(bits: 2048)
        let leaf = try office.leaf(key.publicKey, serial: 9)
        let trust = try AlipayCertificateTrust(rootBundle: office.root.pem)
        let noon = Office.start + 43_200
        let serial = AlipayCertificateSerial(leaf)
        #expect(serial.description.utf8.count == 32)
        #expect(try trust.key(ofFirstIn: leaf.pem, serial: serial, at: noon).subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
        #expect(try AlipayKeyText.publicKey(leaf.pem).subjectPublicKeyInfo == key.publicKey.subjectPublicKeyInfo)
        #expect(throws: refused(.unusableKey)) { try trust.key(ofFirstIn: leaf.pem, at: noon + 86_400) }
        #expect(throws: refused(.unusableKey)) { try AlipayCertificateTrust(roots: [other.root]).key(ofFirstIn: leaf.pem, at: noon) }
        #expect(throws: refused(.otherMessage)) {
            try trust.key(ofFirstIn: leaf.pem, serial: AlipayCertificateSerial(office.root), at: noon)
        }
        #expect(throws: refused(.unusableKey)) { try trust.key(ofFirstIn: "", at: noon) }
        #expect(throws: refused(.unusableKey)) { try AlipayCertificateTrust(rootBundle: "") }
        #expect(throws: refused(.unusableKey)) { try AlipayCertificateSerial(pem: "") }
        #expect(throws: refused(.unusableKey)) {
            try AlipayCertificateSerial(pem: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        }
        #expect(try AlipayCertificateSerial(rootBundle: office.root.pem + other.root.pem).description.utf8.count == 65)
        #expect(throws: refused(.unusableKey)) {
            try AlipayCertificateSerial(rootBundle: TestCertificateAuthority(notBefore: noon, notAfter: noon, seed: 1).root.pem)
        }
    }
}
