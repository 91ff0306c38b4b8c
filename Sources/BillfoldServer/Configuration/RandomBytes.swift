import PaymentCrypto

/// Where secrets come from: the system's generator in production, a seeded one in tests.
public struct RandomBytes: Sendable {
    private let source: @Sendable (Int) -> [UInt8]

    /// - Parameter source: Returns that many bytes nobody can predict.
    public init(_ source: @escaping @Sendable (Int) -> [UInt8]) { self.source = source }

    package func bytes(_ count: Int) -> [UInt8] { source(count) }

    /// Text that is safe in a cookie and in a URL, with 256 bits of randomness.
    package func token() -> String { Hexadecimal.encode(bytes(32)) }
}
