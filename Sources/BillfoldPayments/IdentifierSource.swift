public import BillfoldStorage
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes identifiers from a source of randomness that the composition root hands in.
public struct IdentifierSource: Sendable {
    private struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64
        func next() -> UInt64 { random() }
    }

    private let random: @Sendable () -> UInt64

    /// - Parameter random: 64 bits per call; the system's generator in production, a seeded one in tests.
    public init(random: @escaping @Sendable () -> UInt64) { self.random = random }

    /// The system's generator, asked for many words at a time: a call to it costs as much as the rest of an identifier a hundred times
    /// over. For identifiers, jitter and nonces; a key is made of bytes that nothing else held.
    public static let system: Self = {
        let words = SystemWords()
        return Self { words.next() }
    }()

    /// A new id that sorts by the instant, with random bits of this source.
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

    /// 64 bits of the source.
    public mutating func next() -> UInt64 { source.bits() }
}

/// Random words of the system, each handed out once.
private final class SystemWords: Sendable {
    /// The system gives up to 256 bytes whole, or none.
    private static let count = 32

    private let words = Mutex<[UInt64]>([])

    func next() -> UInt64 {
        words.withLock { words in
            if words.isEmpty { words = Self.draw() }
            return words.removeLast()
        }
    }

    private static func draw() -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            #if canImport(Glibc)
                // As Swift's own generator does: better no process than one whose identifiers can be guessed.
                precondition(getentropy(bytes.baseAddress, bytes.count) == 0, "the system gives no random bytes")
            #else
                arc4random_buf(bytes.baseAddress, bytes.count)
            #endif
            filled = count
        }
    }
}
