import CLibcrypto
import Foundation

/// Sets up the contexts of one SM2 signature: the signer's id belongs to what is hashed (GB/T 32918.2 section 5.5).
enum SM2Operation {
    static func run<Result>(
        _ key: OpenSSLKey, userID: some ContiguousBytes, message: some ContiguousBytes,
        _ body: (OpaquePointer, UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        key.withContext { keyContext in
            let isSet = userID.withUnsafeBytes { EVP_PKEY_CTX_set1_id(keyContext, $0.baseAddress, Int32($0.count)) }
            guard isSet == 1, let context = EVP_MD_CTX_new() else { return nil }
            defer { EVP_MD_CTX_free(context) }
            // The digest context borrows the key context; it does not free it.
            EVP_MD_CTX_set_pkey_ctx(context, keyContext)
            return message.withUnsafeBytes { body(context, $0) }
        }
    }
}
