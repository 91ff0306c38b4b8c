public import BillfoldDiagnosis

/// Opens PKCS#12 files (`.p12`), as a keychain exports a merchant's key with its certificate. The implementation is passed in, because it
/// needs
/// OpenSSL and the passwords.
public protocol MerchantKeyArchives: Sendable {
    /// - Parameter bytes: A file that nobody vouches for; it may turn out to be something else.
    /// - Returns: Nil for what no password opens, and for what is no such file.
    func open(_ bytes: [UInt8]) -> MerchantKeyArchive?
}

/// What a PKCS#12 file held.
public struct MerchantKeyArchive: Sendable {
    /// DER.
    public var privateKey: Secret<[UInt8]>
    /// DER, that of the key first.
    public var certificates: [[UInt8]]

    public init(privateKey: Secret<[UInt8]>, certificates: [[UInt8]]) {
        self.privateKey = privateKey
        self.certificates = certificates
    }
}
