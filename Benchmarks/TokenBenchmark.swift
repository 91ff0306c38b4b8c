import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import Crypto
import Foundation
import PaymentCrypto
import SwiftASN1
import X509

/// Verifying and opening EC_v1 tokens, against direct library calls for the operations that cannot be avoided.
struct TokenBenchmark {
    static let floor = 0.85
    private static let merchantIdentifier = "merchant.example.shop"
    private static let instant = Date(timeIntervalSince1970: 1_795_000_000)

    /// One token and what a direct call needs of it, cut out beforehand.
    private struct Sample {
        var bytes: [UInt8]
        var leafDER: [UInt8]
        var leafSigned: Data
        var leafSignature: P256.Signing.ECDSASignature
        var attributes: Data
        var attributesSignature: P256.Signing.ECDSASignature
        var content: Data
        var ephemeral: Data
        var nonce: AES.GCM.Nonce
        var sealed: AES.GCM.SealedBox
    }

    private let samples: [Sample]
    private let verifier: TokenVerifier
    private let decryptor: TokenDecryptor
    private let merchantKey: P256.KeyAgreement.PrivateKey
    private let merchantHash: [UInt8]
    private let intermediate: P256.Signing.PublicKey
    /// The first token's leaf, parsed once.
    private let knownLeaf: P256.Signing.PublicKey

    /// - Parameter leaves: How many leaf certificates the tokens are signed with in turn; see ``Wallets``.
    init(leaves: Int, tokens: Int = 1_024) throws {
        let wallets = try Wallets(leaves: leaves, merchantIdentifier: Self.merchantIdentifier, at: Self.instant)
        let (first, certificate) = (wallets.authorities[0], wallets.certificate)
        let payload = PaymentPayload(
            applicationPrimaryAccountNumber: Secret("4111119999990016"), applicationExpirationDate: "301231", currencyCode: "840",
            transactionAmount: 1099,
            paymentData: .threeDSecure(
                .init(onlinePaymentCryptogram: Secret("AAECAwQFBgcICQoLDA0ODxAREhM="), eciIndicator: "7")))
        merchantKey = try P256.KeyAgreement.PrivateKey(derRepresentation: wallets.processing.pkcs8)
        merchantHash = certificate.merchantIdentifierHash
        intermediate = try P256.Signing.PublicKey(derRepresentation: Array(first.intermediate.subjectPublicKeyInfo))
        knownLeaf = try P256.Signing.PublicKey(derRepresentation: Array(first.leaf.subjectPublicKeyInfo))
        verifier = TokenVerifier(trust: first.trust)
        decryptor = TokenDecryptor(keys: try .processing([ProcessingKey(.p256(wallets.processing), certificate: certificate)]))
        var generator = SystemRandomNumberGenerator()
        samples = try (0..<tokens).map { number in
            let composed = try TokenComposer(authority: wallets.authorities[number % leaves]).compose(
                TokenPlan(
                    version: .ecV1, payload: payload, merchant: certificate, applicationData: Array("order-\(number)".utf8),
                    signingTime: Self.instant),
                using: &generator)
            return try Self.sample(composed.paymentData)
        }
    }

    private static func sample(_ bytes: [UInt8]) throws -> Sample {
        let token = try PaymentToken(bytes)
        let signed = try SignedData(ber: token.signature)
        let signer = signed.signers[0]
        guard let leafDER = signed.certificate(of: signer), let attributes = signer.signedAttributes else {
            throw PaymentCryptoError(code: .malformedASN1, reason: "a composed token without a signer")
        }
        let leaf = try ParsedCertificate(der: leafDER)
        let nonce = try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 16))
        return Sample(
            bytes: bytes, leafDER: leafDER, leafSigned: Data(leaf.signedBytes),
            leafSignature: try .init(derRepresentation: Array(leaf.signature)), attributes: Data(attributes.signedBytes),
            attributesSignature: try .init(derRepresentation: Array(signer.signature)), content: Data(token.signedContent),
            ephemeral: Data(token.header.key.bytes), nonce: nonce,
            sealed: try .init(nonce: nonce, ciphertext: token.data.dropLast(16), tag: token.data.suffix(16)))
    }

    func run(_ name: String, verifiesLeaf: Bool, perBlock: Int = 512) throws -> Comparison {
        try Comparison.run(
            name,
            bound: verifiesLeaf
                ? "parsing one certificate, ECDSA P-256 verify of the leaf and of the signed attributes, one ECDH, one GCM open, the hashes"
                : "ECDSA P-256 verify of the signed attributes, one ECDH, one GCM open, the hashes",
            floor: verifiesLeaf ? Self.floor : nil, perBlock: perBlock,
            job: { try verifyAndOpen($0) },
            bound: { count in
                for index in 0..<count { try direct(samples[index % samples.count], verifiesLeaf: verifiesLeaf) }
            })
    }

    /// The job: each token once, in turn.
    func verifyAndOpen(_ count: Int) throws {
        for index in 0..<count {
            let verified = try verifier.verify(UnverifiedToken(samples[index % samples.count].bytes), at: Self.instant)
            let payload = try decryptor.open(verified)
            precondition(payload.transactionAmount == 1099)
        }
    }

    private func direct(_ sample: Sample, verifiesLeaf: Bool) throws {
        let leaf: P256.Signing.PublicKey
        if verifiesLeaf {
            guard let key = P256.Signing.PublicKey(try Certificate(derEncoded: sample.leafDER).publicKey) else {
                preconditionFailure("not P-256")
            }
            leaf = key
            precondition(intermediate.isValidSignature(sample.leafSignature, for: sample.leafSigned))
        } else {
            leaf = knownLeaf
        }
        precondition(leaf.isValidSignature(sample.attributesSignature, for: sample.attributes))
        _ = SHA256.hash(data: sample.content)
        let secret = try merchantKey.sharedSecretFromKeyAgreement(with: .init(derRepresentation: sample.ephemeral))
        let key = secret.withUnsafeBytes { z in
            var hash = SHA256()
            hash.update(data: [0, 0, 0, 1])
            hash.update(bufferPointer: z)
            hash.update(data: [13] + Array("id-aes256-GCMApple".utf8))
            hash.update(data: merchantHash)
            return SymmetricKey(data: hash.finalize())
        }
        _ = try AES.GCM.open(sample.sealed, using: key)
    }
}
