import CLibcrypto

/// Sets the padding and the two hashes of RSA-OAEP on a context that is ready to encrypt or decrypt.
enum OAEPParameters {
    static func set(_ context: OpaquePointer, hash: OpenSSLHash, maskHash: OpenSSLHash) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, hash.algorithm) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, maskHash.algorithm) == 1
    }
}
