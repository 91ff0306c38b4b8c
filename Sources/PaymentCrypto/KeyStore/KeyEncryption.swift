import Crypto

/// Seals private keys at rest under a key that is kept elsewhere than they are.
///
/// AES-256-GCM (``EnvelopeSealer``). The file's name is authenticated: a sealed key put in another one's place does not open.
public struct KeyEncryption: Sendable {
    private let sealer: EnvelopeSealer
    private let random: @Sendable () -> UInt64

    /// - Parameters:
    ///   - key: 32 bytes, from the system's randomness. Throws `invalid-parameter` otherwise.
    ///   - former: Keys that opened earlier files and seal no more.
    ///   - random: The system's randomness; it makes nonces.
    public init(key: [UInt8], former: [[UInt8]] = [], random: @escaping @Sendable () -> UInt64) throws(PaymentCryptoError) {
        var ring = KeyRing<SealingKey>()
        for bytes in former + [key] { try ring.add(Self.name(of: bytes), SealingKey(bytes: bytes)) }
        sealer = EnvelopeSealer(ring: ring)
        self.random = random
    }

    /// Throws `encryption-failed`.
    public func seal(_ secret: [UInt8], for name: String) throws(PaymentCryptoError) -> [UInt8] {
        var generator = Generator(random: random)
        return try sealer.seal(secret, context: Array(name.utf8), using: &generator)
    }

    /// Throws `decryption-failed` or, for a file that another key sealed, `unknown-key`.
    public func open(_ sealed: [UInt8], for name: String) throws(PaymentCryptoError) -> [UInt8] {
        try sealer.open(sealed, context: Array(name.utf8))
    }

    /// Says which key sealed a file without saying the key.
    private static func name(of key: [UInt8]) -> KeyID {
        KeyID(Hexadecimal.encode(Array(SHA256.hash(data: Array("key-encryption-key".utf8) + key)).prefix(8)))
    }

    private struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64
        mutating func next() -> UInt64 { random() }
    }
}
