import PaymentCrypto

/// The EC_v1 key derivation, byte for byte (apple-pay.md#ec_v1). [V]
///
/// key = SHA-256( 00 00 00 01 ‖ Z ‖ 0D "id-aes256-GCM" ‖ "Apple" ‖ PartyV ). The algorithm name is preceded by its length;
/// PartyUInfo and PartyVInfo are not.
public enum TokenKeyDerivation {
    /// What follows Z in the hash: `0D "id-aes256-GCM" "Apple"` and the merchant identifier's hash.
    public static func otherInfo(merchantIdentifierHash: [UInt8]) -> [UInt8] {
        [0x0D] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8) + merchantIdentifierHash
    }

    /// Derives the 32-byte AES key. Z has 32 bytes, leading zeros included; another length is taken only so that the known
    /// mistake of trimming them can be recognised.
    public static func key(sharedSecret: [UInt8], merchantIdentifierHash: [UInt8]) throws(ApplePayError) -> [UInt8] {
        do throws(PaymentCryptoError) {
            return try ConcatenationKDF.derive(
                sharedSecret: sharedSecret, otherInfo: otherInfo(merchantIdentifierHash: merchantIdentifierHash))
        } catch {
            throw ApplePayError(code: .decryptionRefused, reason: "the token could not be opened")
        }
    }
}
