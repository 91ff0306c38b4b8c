public import Foundation
public import PaymentCrypto

/// The ECC_V2 key derivation, byte for byte (provisioning.md#ecc_v2 [V]).
///
/// key = SHA-256( 00 00 00 01 ‖ Z ‖ 0D "id-aes256-GCM" ‖ "Apple" ‖ E ). Unlike a merchant's token, PartyVInfo is the ephemeral point
/// itself.
public enum PassDataKeyDerivation {
    /// The nonce of every payload: twelve zero bytes, safe because each key is used once. [V]
    public static let nonce = [UInt8](repeating: 0, count: 12)

    /// What follows Z in the hash, 84 bytes for a point of 65.
    public static func otherInfo(ephemeralPublicKey point: [UInt8]) -> [UInt8] { prefix + point }

    private static let prefix = [0x0D] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8)

    /// Derives the 32-byte AES key from the shared X coordinate, 32 bytes with leading zeros.
    public static func key(sharedSecret: some ContiguousBytes, ephemeralPublicKey point: [UInt8]) throws(PaymentCryptoError) -> SecretBytes
    {
        var steps = SealingSteps.off
        return try key(sharedSecret: sharedSecret, ephemeralPublicKey: point, recording: &steps)
    }

    /// The same, with each value on its way, and the nonce that goes with the key.
    static func key(
        sharedSecret: some ContiguousBytes, ephemeralPublicKey point: [UInt8], recording steps: inout SealingSteps
    ) throws(PaymentCryptoError) -> SecretBytes {
        let info = otherInfo(ephemeralPublicKey: point)
        steps.record(.sharedSecret, SecretBytes(sharedSecret))
        steps.record(.otherInfo, SecretBytes(info))
        steps.record(.kdfInput, ConcatenationKDF.input(sharedSecret: sharedSecret, otherInfo: info))
        var key = try ConcatenationKDF.derive(sharedSecret: sharedSecret, otherInfo: info)
        let result = SecretBytes(taking: &key)
        steps.record(.aesKey, result)
        steps.record(.nonce, SecretBytes(nonce))
        return result
    }
}
