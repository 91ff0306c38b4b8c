public import Foundation

/// The hash function SM3 (GB/T 32905): 32 bytes.
public enum SM3 {
    public static func hash(_ message: some ContiguousBytes) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        try OpenSSLHash.sm3.hash(message)
    }
}
