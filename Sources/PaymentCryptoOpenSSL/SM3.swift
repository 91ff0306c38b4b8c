public import Foundation

/// The hash function SM3 (GB/T 32905): 32 bytes.
public enum SM3 {
    /// The 32 bytes of the message's digest. Throws where OpenSSL cannot compute it.
    public static func hash(_ message: some ContiguousBytes) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        try OpenSSLHash.sm3.hash(message)
    }
}
