import CLibcrypto

/// Owns one EVP_PKEY and frees it.
///
/// `@unchecked Sendable` is sound: the pointer is constant, the key is never changed after it is made, OpenSSL counts
/// references atomically, and its documentation allows one key in operations of several threads, each with a context
/// of its own, as every use here has.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// Reads PKCS#8, PKCS#1 or SEC1 DER.
    static func privateKey(der: [UInt8]) throws(PaymentCryptoOpenSSLError) -> OpenSSLKey {
        let key = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &start, bytes.count)
        }
        guard let key else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "no private key that OpenSSL reads")
        }
        return OpenSSLKey(owning: key)
    }

    /// Reads a SubjectPublicKeyInfo.
    static func publicKey(der: [UInt8]) throws(PaymentCryptoOpenSSLError) -> OpenSSLKey {
        let key = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .malformedKey, reason: "no public key that OpenSSL reads")
        }
        return OpenSSLKey(owning: key)
    }

    func isKind(_ name: String) -> Bool { EVP_PKEY_is_a(pointer, name) == 1 }

    /// DER of the SubjectPublicKeyInfo.
    var subjectPublicKeyInfo: [UInt8] {
        var buffer: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(pointer, &buffer)
        return Self.take(buffer, count)
    }

    /// PKCS#8 DER. A secret.
    var pkcs8: [UInt8] {
        guard let info = EVP_PKEY2PKCS8(pointer) else { return [] }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        var buffer: UnsafeMutablePointer<UInt8>?
        let count = i2d_PKCS8_PRIV_KEY_INFO(info, &buffer)
        return Self.take(buffer, count)
    }

    /// Copies what OpenSSL allocated, wipes it and frees it.
    static func take(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> [UInt8] {
        guard let buffer, count > 0 else {
            ERR_clear_error()
            return []
        }
        defer { CRYPTO_clear_free(buffer, Int(count), nil, 0) }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
    }

    /// Runs an operation with a context of its own; nil when it fails.
    func withContext<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        let result = body(context)
        if result == nil { ERR_clear_error() }
        return result
    }

    /// Signs by the key's own scheme, PKCS#1 v1.5 for RSA; nil when it fails.
    func sign(_ message: UnsafeRawBufferPointer, _ hash: OpenSSLHash) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSignInit(context, nil, hash.algorithm, nil, pointer) == 1,
            EVP_DigestSign(context, &signature, &count, message.baseAddress, message.count) == 1
        else {
            ERR_clear_error()
            return nil
        }
        return Array(signature[..<count])
    }
}
