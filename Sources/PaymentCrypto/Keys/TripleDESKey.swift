/// A two-part triple DES key (K1 K2 K1) that encrypts in CBC mode with an initial vector of zeros, wherever it is held: in
/// OpenSSL or in a hardware module. Only for old formats that prescribe it.
public protocol TripleDESKey: Sendable {
    /// Encrypts whole blocks of 8 bytes, without padding. Throws `invalid-parameter` for another length, and
    /// `encryption-failed`.
    func encrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8]
}

/// The receiver's half: networks and simulators hold it, issuers need not.
public protocol TripleDESDecryptionKey: TripleDESKey {
    /// Decrypts whole blocks of 8 bytes. There is no integrity check: the caller's format must have one.
    func decrypt(_ blocks: [UInt8]) async throws(PaymentCryptoError) -> [UInt8]
}
