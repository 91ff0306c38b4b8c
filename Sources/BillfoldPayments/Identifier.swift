public import BillfoldStorage

/// A 16-byte, time-ordered identifier: 48 bits of milliseconds, then 74 random bits (the layout of RFC 9562, version 7).
///
/// Time order keeps inserts at the end of every index. It is not a secret: whoever sees one knows when it was made.
public struct Identifier: Sendable, Hashable, Comparable {
    private let high: UInt64
    private let low: UInt64

    /// - Parameters:
    ///   - random: 128 random bits, of which 74 are used.
    public init(at instant: Timestamp, random: (UInt64, UInt64)) {
        let milliseconds = UInt64(max(0, instant.microseconds) / 1000) & 0xFFFF_FFFF_FFFF
        high = milliseconds << 16 | 0x7000 | random.0 & 0x0FFF
        low = 0x8000_0000_0000_0000 | random.1 >> 2
    }

    public init(bytes: [UInt8]) throws(PaymentsError) {
        guard bytes.count == 16 else {
            throw PaymentsError(code: .malformedIdentifier, reason: "an identifier is 16 bytes, not \(bytes.count)")
        }
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads the 32 hexadecimal digits that ``description`` writes; refuses upper case, so that one id has one spelling.
    public init(_ text: String) throws(PaymentsError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var pending: UInt8?
        for digit in text.utf8 {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: throw PaymentsError(code: .malformedIdentifier, reason: "an identifier is 32 lower-case hexadecimal digits")
            }
            if let first = pending {
                bytes.append(first << 4 | value)
                pending = nil
            } else {
                pending = value
            }
        }
        guard pending == nil, bytes.count == 16 else {
            throw PaymentsError(code: .malformedIdentifier, reason: "an identifier is 32 lower-case hexadecimal digits")
        }
        try self.init(bytes: bytes)
    }

    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                buffer[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
                buffer[8 + index] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
            }
            count = 16
        }
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.high != rhs.high ? lhs.high < rhs.high : lhs.low < rhs.low
    }

    var sql: SQLValue { .blob(bytes) }
}

extension Identifier: CustomStringConvertible {
    /// 32 lower-case hexadecimal digits: letters and digits only, so that it fits the order numbers of every acquirer.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 32) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 32
        }
    }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Makes identifiers from a source of randomness that the composition root hands in.
public struct IdentifierSource: Sendable {
    private let random: @Sendable () -> UInt64

    /// - Parameter random: 64 bits per call; the system's generator in production, a seeded one in tests.
    public init(random: @escaping @Sendable () -> UInt64) { self.random = random }

    public func next(at instant: Timestamp) -> Identifier { Identifier(at: instant, random: (random(), random())) }

    /// 64 random bits, for jitter and nonces.
    public func bits() -> UInt64 { random() }
}
