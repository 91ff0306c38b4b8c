import CLibcrypto
public import Foundation

/// A hash function by name, for algorithms that take any of them.
public enum OpenSSLHash: String, Sendable, CaseIterable {
    case sha1 = "SHA1"
    case sha224 = "SHA224"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"
    case sm3 = "SM3"

    var algorithm: OpaquePointer? {
        switch self {
        case .sha1: EVP_sha1()
        case .sha224: EVP_sha224()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        case .sm3: EVP_sm3()
        }
    }

    /// Hashes a message.
    public func hash(_ message: some ContiguousBytes) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let done = message.withUnsafeBytes { bytes in
            EVP_Digest(bytes.baseAddress, bytes.count, &digest, &count, algorithm, nil)
        }
        guard done == 1 else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .libraryFailure, reason: "\(rawValue) is not available")
        }
        return Array(digest[..<Int(count)])
    }
}
