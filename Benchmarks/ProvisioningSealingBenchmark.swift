import ApplePay
import Crypto
import Foundation
import PaymentCrypto

/// Sealing pass data by ECC_V2, against direct library calls for the operations that cannot be avoided.
struct ProvisioningSealingBenchmark {
    static let floor = 0.9

    private let sealer: PassDataSealer
    private let leaf: P256.KeyAgreement.PublicKey
    private let plaintext: SecretBytes
    private let nonce: AES.GCM.Nonce

    init() throws {
        var generator = SystemRandomNumberGenerator()
        let key = try P256PrivateKey(using: &generator)
        sealer = try PassDataSealer(leaf: key.publicKey)
        leaf = try P256.KeyAgreement.PublicKey(derRepresentation: key.publicKey.subjectPublicKeyInfo)
        let challenge = try ProvisioningChallenge(nonce: [1, 2, 3, 4], nonceSignature: [0x40] + [UInt8](repeating: 7, count: 80))
        plaintext =
            PassData.encryptedFPAN(
                try EncryptedFPANPassData(
                    primaryAccountNumberPrefix: "405551",
                    encryptedPrimaryAccountNumber: "MBPAD-1-FK-405551.1--TDEA-" + String(repeating: "0123456789ABCDEF", count: 8),
                    name: "JANE SPECIMEN", challenge: challenge)
            ).json()
        nonce = try AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))
    }

    func run(perBlock: Int = 512) throws -> Comparison {
        try Comparison.run(
            "pass data sealed by ECC_V2, \(plaintext.count) bytes",
            bound: "one P-256 key from 32 random bytes, one ECDH, one SHA-256, one GCM seal",
            floor: Self.floor, perBlock: perBlock,
            job: { count in
                var generator = SystemRandomNumberGenerator()
                for _ in 0..<count {
                    let sealed = try sealer.seal(plaintext, using: &generator)
                    precondition(sealed.encryptedPassData.count == plaintext.count + 16)
                }
            },
            bound: { try direct($0) })
    }

    /// The bound: what sealing cannot avoid, so many times.
    func direct(_ count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<count { try direct(&generator) }
    }

    /// The library's own way to make a key also signs with it and checks the signature, which would make the bound too easy.
    private func direct(_ generator: inout SystemRandomNumberGenerator) throws {
        let scalar = [generator.next(), generator.next(), generator.next(), generator.next()]
        let ephemeral = try scalar.withUnsafeBytes { try P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
        let secret = try ephemeral.sharedSecretFromKeyAgreement(with: leaf)
        let key = secret.withUnsafeBytes { z in
            var hash = SHA256()
            hash.update(data: [0, 0, 0, 1])
            hash.update(bufferPointer: z)
            hash.update(data: [13] + Array("id-aes256-GCMApple".utf8))
            hash.update(data: ephemeral.publicKey.x963Representation)
            return SymmetricKey(data: hash.finalize())
        }
        _ = try plaintext.withUnsafeBytes { try AES.GCM.seal($0, using: key, nonce: nonce) }
    }
}
