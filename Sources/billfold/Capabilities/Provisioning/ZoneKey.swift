import PaymentCrypto
import PaymentCryptoOpenSSL

/// A two-part triple DES key that an issuer shares with a network, on its way into a store: 16 bytes, every one of odd parity.
///
/// Two or three persons carry one component each, and their exclusive or is the key. Parity bits change neither the cipher nor the
/// check value, so that they are set and never refused.
struct ZoneKey {
    let bytes: SecretBytes

    /// Refuses with `weak-key` a key whose halves are equal, which is no triple DES, or weak in themselves.
    init(components: [SecretBytes]) throws(CommandFailure) {
        var sum = [UInt8](repeating: 0, count: 16)
        defer { sum.wipe() }
        for component in components {
            component.withUnsafeBytes { part in for index in sum.indices { sum[index] ^= part[index] } }
        }
        for index in sum.indices { sum[index] = Self.odd(sum[index]) }
        guard Self.isStrong(sum) else {
            throw CommandFailure(.refused, code: "weak-key", reason: "the halves of the key are equal, or one is a weak DES key")
        }
        bytes = SecretBytes(sum)
    }

    private init(strong bytes: SecretBytes) { self.bytes = bytes }

    static func make(using generator: inout some RandomNumberGenerator) -> ZoneKey {
        while true {
            var drawn = random(using: &generator)
            defer { drawn.wipe() }
            if isStrong(drawn) { return ZoneKey(strong: SecretBytes(drawn)) }
        }
    }

    /// A key and its components, each of odd parity.
    static func make(components count: Int, using generator: inout some RandomNumberGenerator) -> (key: ZoneKey, components: [SecretBytes])
    {
        while true {
            let components = (0..<count).map { _ in
                var drawn = random(using: &generator)
                return SecretBytes(taking: &drawn)
            }
            if let key = try? ZoneKey(components: components) { return (key, components) }
        }
    }

    /// The first three bytes of eight zero bytes encrypted, as banks compare keys.
    static func checkValue(of key: any TripleDESKey) async throws(PaymentCryptoError) -> String {
        Hexadecimal.encode(Array(try await key.encrypt([UInt8](repeating: 0, count: 8)).prefix(3))).uppercased()
    }

    static func checkValue(of bytes: SecretBytes) async throws(PaymentCryptoError) -> String {
        try await checkValue(of: OpenSSLTripleDESKey(bytes.reveal()))
    }

    private static func random(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<16).map { _ in odd(UInt8.random(in: .min ... .max, using: &generator)) }
    }

    private static func odd(_ byte: UInt8) -> UInt8 { (byte & 0xFE) | (byte >> 1).nonzeroBitCount.isMultiple(of: 2).bit }

    private static func isStrong(_ key: [UInt8]) -> Bool {
        let (left, right) = (Array(key.prefix(8)), Array(key.suffix(8)))
        return left != right && !weak.contains(left) && !weak.contains(right)
    }

    /// The weak and semi-weak keys of DES, with odd parity (NIST SP 800-67, section 3.3.2).
    private static let weak: Set<[UInt8]> = {
        func repeated(even: UInt8, odd: UInt8, lateEven: UInt8, lateOdd: UInt8) -> [UInt8] {
            [even, odd, even, odd, lateEven, lateOdd, lateEven, lateOdd]
        }
        let halves: [(UInt8, UInt8)] = [(0x01, 0x01), (0xFE, 0xFE), (0x1F, 0x0E), (0xE0, 0xF1)]
        return Set(halves.flatMap { first in halves.map { repeated(even: first.0, odd: $0.0, lateEven: first.1, lateOdd: $0.1) } })
    }()
}

extension Bool {
    fileprivate var bit: UInt8 { self ? 1 : 0 }
}
