import CryptoExtras
import Foundation

/// The library's decryption key, made sendable.
///
/// `@unchecked` is sound: the wrapped value is a constant that is never handed out; the library's own signing key, of
/// the same backing type (an immutable pointer to a BoringSSL key, which documents concurrent private-key operations
/// as safe), is declared `Sendable`, and only the wrapper type lacks the declaration.
struct RSADecryptionKey: @unchecked Sendable {
    private let key: _RSA.Encryption.PrivateKey

    init(_ key: _RSA.Encryption.PrivateKey) { self.key = key }

    func openOAEPSHA256(_ wrapped: UnsafeRawBufferPointer) -> [UInt8]? {
        (try? key.decrypt(wrapped, padding: .PKCS1_OAEP_SHA256)).map { Array($0) }
    }
}
