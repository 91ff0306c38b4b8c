public import BillfoldStorage

/// Makes identifiers from a source of randomness that the composition root hands in.
public struct IdentifierSource: Sendable {
    private struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64
        func next() -> UInt64 { random() }
    }

    private let random: @Sendable () -> UInt64

    /// - Parameter random: 64 bits per call; the system's generator in production, a seeded one in tests.
    public init(random: @escaping @Sendable () -> UInt64) { self.random = random }

    public func next(at instant: Timestamp) -> TimeOrderedID {
        var generator = Generator(random: random)
        return TimeOrderedID(at: instant, using: &generator)
    }

    /// 64 random bits, for jitter and nonces.
    public func bits() -> UInt64 { random() }
}

extension TimeOrderedID {
    var sql: SQLValue { sqlValue }
}

/// Random numbers for nonces and keys, from the composition root's source.
public struct SourcedGenerator: RandomNumberGenerator, Sendable {
    private let source: IdentifierSource

    public init(source: IdentifierSource) { self.source = source }

    public mutating func next() -> UInt64 { source.bits() }
}
