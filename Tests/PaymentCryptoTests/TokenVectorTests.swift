import BillfoldTestSupport
import Crypto
import Foundation
import PaymentCrypto
import Testing

@Suite(.enabled(if: Vectors.available("apple-pay-acceptance")))
struct TokenVectorTests {
    @Test(arguments: TokenVector.all)
    func signatureVerifiesAtItsSigningTime(_ vector: TokenVector) throws {
        let payment = try vector.payment()
        let expected = try vector.outcome()
        let content = try vector.signedContent()
        #expect(Hexadecimal.encode(Array(SHA256.hash(data: content))) == expected.signedContentSha256)
        let message = try SignedData(ber: StrictBase64.decode(payment.signature))
        #expect(message.version == 1)
        #expect(message.digestAlgorithms == [.sha256])
        #expect(message.contentType == .cmsData)
        #expect(message.embeddedContent == nil)
        #expect(message.signers.count == 1)
        let signer = try #require(message.signers.first)
        let attributes = try #require(signer.signedAttributes)
        #expect(attributes.contentType == .cmsData)
        #expect(attributes.messageDigest.map { Hexadecimal.encode($0) } == expected.signedContentSha256)
        let time = try Date(expected.signingTime, strategy: .iso8601)
        #expect(attributes.signingTime == time)
        let leaf = try ParsedCertificate(der: #require(message.certificate(of: signer)))
        let checker = CertificateChainChecker(anchors: [try vector.anchor()], rules: ChainRules.walletToken())
        let chain = try checker.verify(leaf: leaf, offered: message.certificates, at: time)
        #expect(signer.isSignatureValid(by: chain.leafKey))
        #expect(checker.cache.count == 1)
        let again = checker.report(leaf: leaf, offered: message.certificates, at: time)
        #expect(again.isAccepted)
    }

    @Test(arguments: TokenVector.all)
    func leafIsExpiredLongAfterwardsEvenWhenTheIntermediateIsCached(_ vector: TokenVector) throws {
        let message = try SignedData(ber: StrictBase64.decode(vector.payment().signature))
        let leaf = try ParsedCertificate(der: #require(message.certificate(of: message.signers[0])))
        let checker = CertificateChainChecker(anchors: [try vector.anchor()], rules: ChainRules.walletToken())
        _ = try checker.verify(leaf: leaf, offered: message.certificates, at: #require(message.signers[0].signedAttributes?.signingTime))
        #expect(checker.cache.count == 1)
        let later = try Date("2049-01-01T00:00:00Z", strategy: .iso8601)
        let report = checker.report(leaf: leaf, offered: message.certificates, at: later)
        #expect(report.failedCodes == [.certificateExpired])
    }

    @Test(arguments: TokenVector.all)
    func tokenOpensToItsPlaintext(_ vector: TokenVector) throws {
        let payment = try vector.payment()
        let expected = try vector.outcome()
        var key = try Hexadecimal.decode(expected.symmetricKeyHex)
        if let file = vector.key {
            switch try PrivateKey(pem: vector.text(file)) {
            case .p256(let merchant):
                let secret = try merchant.sharedSecret(
                    subjectPublicKeyInfo: StrictBase64.decode(payment.header.ephemeralPublicKey ?? ""))
                if let known = expected.sharedSecretHex { #expect(Hexadecimal.encode(secret) == known) }
                let identifier = try #require(expected.merchantIdentifier)
                let party = Array(SHA256.hash(data: Array(identifier.utf8)))
                key = try ConcatenationKDF.derive(
                    sharedSecret: secret, otherInfo: [0x0D] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8) + party)
            case .rsa(let merchant):
                key = try merchant.openOAEPSHA256(StrictBase64.decode(payment.header.wrappedKey ?? ""))
            case .p384:
                Issue.record("no merchant has a P-384 key")
            }
            #expect(Hexadecimal.encode(key) == expected.symmetricKeyHex)
        }
        let plain = try AESGCM(key: key).open(
            StrictBase64.decode(payment.data), nonce: AESGCM.walletTokenNonce)
        #expect(String(decoding: plain, as: UTF8.self) == expected.plaintext)
    }

    @Test(arguments: TokenVector.all.filter { $0.certificate != nil })
    func merchantCertificateNamesItsKeyAndIdentifier(_ vector: TokenVector) throws {
        let certificate = try ParsedCertificate(pem: vector.text(#require(vector.certificate)))
        let key = try PrivateKey(pem: vector.text(#require(vector.key)))
        let expected = try vector.outcome()
        #expect(try certificate.publicKey == key.publicKey)
        #expect(StrictBase64.encode(certificate.publicKeyHash) == (try vector.payment().header.publicKeyHash))
        #expect(KeyID(publicKey: key.publicKey).description == (try vector.payment().header.publicKeyHash))
        let identifier = try #require(expected.merchantIdentifier)
        #expect(certificate.subject.userID == identifier)
        #expect(certificate.merchantIdentifierHash == Array(SHA256.hash(data: Array(identifier.utf8))))
    }

    @Test func appleRootHasThePinnedFingerprint() throws {
        let root = try ParsedCertificate(pem: Vectors.text("apple-pay-acceptance/apple-root-ca-g3.pem"))
        _ = try TrustAnchor(root, fingerprint: TrustAnchor.appleRootG3Fingerprint)
        #expect(throws: PaymentCryptoError(code: .anchorMismatch, reason: "")) {
            try TrustAnchor(root, fingerprint: [UInt8](repeating: 0, count: 32))
        }
        #expect(try root.publicKey.kind == .p384)
        #expect(root.subject.commonName == "Apple Root CA - G3")
    }
}
