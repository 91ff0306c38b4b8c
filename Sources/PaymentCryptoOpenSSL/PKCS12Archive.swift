import CLibcrypto
public import PaymentCrypto

/// A PKCS#12 file: a private key with its certificate and the certificates above it.
public struct PKCS12Archive: Sendable {
    /// PKCS#8 DER. A secret.
    public let privateKeyDER: [UInt8]
    public let certificate: ParsedCertificate
    /// The other certificates in the file, in its order.
    public let chain: [ParsedCertificate]

    /// Puts together what is to be written.
    public init(privateKeyDER: [UInt8], certificate: ParsedCertificate, chain: [ParsedCertificate]) {
        self.privateKeyDER = privateKeyDER
        self.certificate = certificate
        self.chain = chain
    }

    /// Opens a file, old ones with RC2 and triple DES included. Throws `malformed-archive`, `wrong-password`,
    /// `incomplete-archive`, or `legacy-provider-missing` when it needs what is not installed.
    public init(der: [UInt8], password: String) throws(PaymentCryptoOpenSSLError) {
        var rounds = Int.max
        try self.init(der: der, password: password, rounds: &rounds)
    }

    /// As ``init(der:password:)``, for a file that nobody vouches for.
    ///
    /// - Parameters:
    ///   - der: The whole file, with an integrity code; one without is refused.
    ///   - password: Of the integrity code and the contents alike; two different ones are not supported.
    ///   - rounds: How many rounds of hashing the password may be spent; what was spent is taken off, whatever comes of it. A file
    ///     that asks for more throws `malformed-archive` with ``PaymentCryptoOpenSSLError/rounds``, before they are done.
    public init(der: [UInt8], password: String, rounds: inout Int) throws(PaymentCryptoOpenSSLError) {
        var work = PKCS12Work(allowed: rounds)
        defer { rounds -= min(max(0, rounds), work.spent) }
        var archive = PKCS12_init_ex(NID_pkcs7_data, LegacyLibrary.shared.context, nil)
        defer { PKCS12_free(archive) }
        let isRead = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PKCS12(&archive, &start, bytes.count) != nil
        }
        guard isRead, archive != nil else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .malformedArchive, reason: "no PKCS#12 file")
        }
        guard PKCS12_mac_present(archive) == 1 else {
            throw PaymentCryptoOpenSSLError(code: .malformedArchive, reason: "the file has no integrity code")
        }
        try work.plan(integrityOf: archive)
        guard PKCS12_verify_mac(archive, password, -1) == 1 else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .wrongPassword, reason: "the password does not fit, or the file is damaged")
        }
        try work.plan(contentsOf: archive, password: password)
        work.spendAll()
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var others: OpaquePointer?
        guard PKCS12_parse(archive, password, &key, &leaf, &others) == 1 else {
            ERR_clear_error()
            guard LegacyLibrary.shared.hasLegacyProvider else {
                throw PaymentCryptoOpenSSLError(
                    code: .legacyProviderMissing, reason: "the file may need OpenSSL's legacy provider, which is not installed")
            }
            throw PaymentCryptoOpenSSLError(code: .malformedArchive, reason: "the file's contents do not open")
        }
        defer {
            X509_free(leaf)
            Self.free(others)
        }
        guard let key else {
            throw PaymentCryptoOpenSSLError(code: .incompleteArchive, reason: "the file holds no private key")
        }
        privateKeyDER = OpenSSLKey(owning: key).pkcs8
        guard let leaf else {
            throw PaymentCryptoOpenSSLError(code: .incompleteArchive, reason: "the file holds no certificate of its key")
        }
        certificate = try Self.certificate(leaf)
        var chain = [ParsedCertificate]()
        for index in 0..<max(0, OPENSSL_sk_num(others)) {
            guard let item = OPENSSL_sk_value(others, index) else { continue }
            chain.append(try Self.certificate(OpaquePointer(item)))
        }
        self.chain = chain
    }

    /// The private key, when it is of a kind that the other library takes. SM2 keys are read from ``privateKeyDER``.
    public var privateKey: PrivateKey { get throws(PaymentCryptoError) { try PrivateKey(der: privateKeyDER) } }

    /// Writes a file with AES-256 and SHA-256, which every current reader takes. `name` is shown by key stores.
    public func encoded(password: String, name: String) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        let key = try OpenSSLKey.privateKey(der: privateKeyDER)
        let leaf = try Self.pointer(certificate)
        defer { X509_free(leaf) }
        guard let others = OPENSSL_sk_new_null() else {
            throw PaymentCryptoOpenSSLError(code: .libraryFailure, reason: "no memory for a list")
        }
        defer { Self.free(others) }
        for item in chain { OPENSSL_sk_push(others, UnsafeMutableRawPointer(try Self.pointer(item))) }
        guard let archive = PKCS12_create(password, name, key.pointer, leaf, others, 0, 0, 0, 0, 0) else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .encryptionFailed, reason: "the file could not be made")
        }
        defer { PKCS12_free(archive) }
        var buffer: UnsafeMutablePointer<UInt8>?
        let count = i2d_PKCS12(archive, &buffer)
        return OpenSSLKey.take(buffer, count)
    }

    private static func certificate(_ pointer: OpaquePointer) throws(PaymentCryptoOpenSSLError) -> ParsedCertificate {
        var buffer: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(pointer, &buffer)
        do {
            return try ParsedCertificate(der: OpenSSLKey.take(buffer, count))
        } catch {
            throw PaymentCryptoOpenSSLError(code: .malformedArchive, reason: "a certificate in the file: \(error.reason)")
        }
    }

    private static func pointer(_ certificate: ParsedCertificate) throws(PaymentCryptoOpenSSLError) -> OpaquePointer {
        let made = certificate.der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        guard let made else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .libraryFailure, reason: "OpenSSL does not read a certificate")
        }
        return made
    }

    /// Frees a list of certificates and the certificates in it.
    private static func free(_ list: OpaquePointer?) {
        guard let list else { return }
        for index in 0..<max(0, OPENSSL_sk_num(list)) {
            if let item = OPENSSL_sk_value(list, index) { X509_free(OpaquePointer(item)) }
        }
        OPENSSL_sk_free(list)
    }
}

extension PKCS12Archive: CustomStringConvertible, CustomReflectable {
    public var description: String { "PKCS#12 file of \(certificate)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
