import Crypto

/// The hash by which certificates and key derivation know a merchant identifier.
public enum MerchantIdentifier {
    /// SHA-256 over the identifier's UTF-8 bytes (apple-pay.md#merchant-identifier-hash). [V]
    public static func hash(_ identifier: String) -> [UInt8] { Array(SHA256.hash(data: Array(identifier.utf8))) }
}
