import BillfoldServer

/// The one place where secrets come from in production: the system's generator.
enum SystemRandomness {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    static func bits() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// 128 bits in URL-safe letters.
    static func name() -> String { bytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

    static let source = RandomBytes { bytes($0) }
}
