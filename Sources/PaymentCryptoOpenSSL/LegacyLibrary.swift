import CLibcrypto

/// An OpenSSL library context of our own with the default and the legacy provider, so that old PKCS#12 files open while
/// the process's other uses of OpenSSL stay without RC2 and single DES.
///
/// `@unchecked Sendable` is sound: the pointers are constants set before anyone else sees them, and OpenSSL's library
/// contexts may be used by several threads at once.
final class LegacyLibrary: @unchecked Sendable {
    let context: OpaquePointer?
    /// Whether old algorithms are there. Without them, newer files still open.
    let hasLegacyProvider: Bool
    private let providers: [OpaquePointer]

    static let shared = LegacyLibrary()

    private init() {
        context = OSSL_LIB_CTX_new()
        let common = context.flatMap { OSSL_PROVIDER_load($0, "default") }
        let legacy = context.flatMap { OSSL_PROVIDER_load($0, "legacy") }
        hasLegacyProvider = legacy != nil
        providers = [common, legacy].compactMap { $0 }
        ERR_clear_error()
    }

    deinit {
        for provider in providers { OSSL_PROVIDER_unload(provider) }
        OSSL_LIB_CTX_free(context)
    }
}
