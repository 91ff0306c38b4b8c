public import BillfoldDiagnosis
public import UnionPay
public import X509

/// Opens PKCS#12 files (`.pfx`). The implementation is passed in, because it needs OpenSSL.
public protocol PKCS12Opener: Sendable {
    /// - Parameters:
    ///   - bytes: A file that nobody vouches for; it may turn out to be something else.
    ///   - password: One guess of several; the next is tried when it does not fit.
    ///   - rounds: How many rounds of hashing the password may be spent; what was spent is taken off.
    func open(_ bytes: [UInt8], password: Secret<String>, rounds: inout Int) -> PKCS12Opening
}

/// What trying a password on a PKCS#12 file came to.
public enum PKCS12Opening: Sendable {
    case opened(key: Certificate.PrivateKey, certificate: Certificate)
    /// The password fits, and the file lacks a key or a certificate: why, in words.
    case incomplete(String)
    /// The password does not fit, or the bytes are something else.
    case closed
    /// The file asks for at least so many rounds of hashing, more than are left.
    case tooCostly(rounds: Int)
}

/// Says what an RSA signature really signed. The implementation is passed in, because it needs OpenSSL.
public protocol SignatureRecovery: Sendable {
    /// The name of the hash inside the signature and the digest, or `nil` when this key did not make it.
    func recover(_ signature: [UInt8], key: Certificate.PublicKey) -> (hash: String, digest: [UInt8])?
}

/// A shared secret or SM2 key that messages under diagnosis may have been signed with.
public struct DiagnosticKeys: Sendable {
    /// For methods 11 and 12.
    public var secureKeys: [Secret<String>]
    public var sm3: (any SM3Digester)?
    public var sm2: [UnionPayVerifier.PinnedSM2Key]
    /// Tried on PKCS#12 files; 000000 is the acquirer's for its public test merchant.
    public var passwords: [Secret<String>]
    public var pkcs12: (any PKCS12Opener)?
    public var recovery: (any SignatureRecovery)?

    public init(
        secureKeys: [Secret<String>] = [], sm3: (any SM3Digester)? = nil, sm2: [UnionPayVerifier.PinnedSM2Key] = [],
        passwords: [Secret<String>] = [Secret("000000")], pkcs12: (any PKCS12Opener)? = nil, recovery: (any SignatureRecovery)? = nil
    ) {
        self.secureKeys = secureKeys
        self.sm3 = sm3
        self.sm2 = sm2
        self.passwords = passwords
        self.pkcs12 = pkcs12
        self.recovery = recovery
    }
}
