import Crypto
import Foundation
import PaymentCrypto
import Testing

struct PaymentCryptoExample {
    // Example
    /// The chain of whoever signed these bytes within five minutes of now: nil where nobody did, `chain-refused` for a stranger.
    func verify(_ signature: [UInt8], over content: [UInt8], root: TrustAnchor, now: Date) throws -> VerifiedChain? {
        let message = try SignedData(ber: signature)
        guard message.embeddedContent == nil, let signer = message.signers.first, let raw = message.certificate(of: signer),
            let attributes = signer.signedAttributes, let time = attributes.signingTime, abs(time.timeIntervalSince(now)) < 300,
            attributes.messageDigest?.elementsEqual(SHA256.hash(data: content)) == true
        else { return nil }
        let checker = CertificateChainChecker(anchors: [root], rules: ChainRules.walletToken())
        let chain = try checker.verify(leaf: ParsedCertificate(der: raw), offered: message.certificates, at: time)
        return signer.isSignatureValid(by: chain.leafKey) ? chain : nil
    }

    /// Opens what was encrypted to a merchant's key. The message names the key by its hash.
    func decrypt(
        _ data: [UInt8], publicKeyHash: [UInt8], ephemeralKey: [UInt8], info: [UInt8], keys: KeyRing<P256PrivateKey>
    ) throws -> [UInt8] {
        let merchant = try keys.key(KeyID(publicKeyHash: publicKeyHash))
        let secret = try merchant.sharedSecret(subjectPublicKeyInfo: ephemeralKey)
        let key = try ConcatenationKDF.derive(sharedSecret: secret, otherInfo: info)
        return try AESGCM(key: key).open(data, nonce: AESGCM.walletTokenNonce)
    }
    // End

    @Test func whoSignedIsFound() throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let content = Array("what is signed".utf8)
        let message = try ExampleSignedMessage(content: content, at: now, seed: 1)
        let chain = try verify(message.bytes, over: content, root: message.root, now: now)
        #expect(chain?.leaf == message.signer)
        let altered = try verify(message.bytes, over: content + [0], root: message.root, now: now)
        #expect(altered?.leaf == nil)
        let late = try verify(message.bytes, over: content, root: message.root, now: now + 300)
        #expect(late?.leaf == nil)
        let other = try ExampleSignedMessage(content: content, at: now, seed: 2)
        #expect(throws: PaymentCryptoError(code: .chainRefused, reason: "")) {
            try verify(message.bytes, over: content, root: other.root, now: now)
        }
    }

    @Test func whatWasEncryptedOpens() throws {
        var random = SystemRandomNumberGenerator()
        let merchant = try P256PrivateKey(using: &random)
        let ephemeral = try P256PrivateKey(using: &random)
        let info = Array("who to whom, and what for".utf8)
        let plain = Array("what is paid".utf8)
        let secret = try ephemeral.sharedSecret(subjectPublicKeyInfo: merchant.publicKey.subjectPublicKeyInfo)
        let key = try ConcatenationKDF.derive(sharedSecret: secret, otherInfo: info)
        let data = try AESGCM(key: key).seal(plain, nonce: AESGCM.walletTokenNonce)
        let opened = try decrypt(
            data, publicKeyHash: merchant.publicKey.sha256, ephemeralKey: ephemeral.publicKey.subjectPublicKeyInfo, info: info,
            keys: KeyRing(active: KeyID(publicKey: merchant.publicKey), merchant))
        #expect(opened == plain)
    }
}
