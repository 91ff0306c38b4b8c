/// A 16-byte id whose order is the order of making: UUID version 7 (RFC 9562, section 5.7).
///
/// New rows land at the end of the index, which is what makes grouped commits cheap. The 12 bits after the millisecond
/// hold its fraction (section 6.2, method 3), the remaining 62 are random. An id tells when it was made: it is no secret.
public struct TimeOrderedID: Sendable, Hashable, Comparable {
    /// Sixteen bytes, big-endian.
    public let bytes: [UInt8]

    /// - Precondition: `instant` lies between 1970 and the year 10889; earlier and later ones are clamped.
    public init(at instant: Timestamp, using generator: inout some RandomNumberGenerator) {
        let limit: Int64 = (1 << 48) * 1_000 - 1
        let microseconds = min(max(instant.microseconds, 0), limit)
        let milliseconds = UInt64(microseconds / 1_000)
        let fraction = UInt64(microseconds % 1_000) * 4_096 / 1_000
        let high = milliseconds << 16 | 0x7000 | fraction
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// The lowest of all ids that are made at an instant: where a range of ids begins.
    public init(lowestAt instant: Timestamp) {
        var zeros = Zeros()
        self.init(at: instant, using: &zeros)
    }

    private struct Zeros: RandomNumberGenerator {
        func next() -> UInt64 { 0 }
    }

    /// - Throws: `unexpected-value` unless there are sixteen bytes with the version and variant of a version 7 UUID.
    public init(bytes: some Collection<UInt8>) throws(StorageError) {
        let bytes = Array(bytes)
        guard bytes.count == 16, bytes[6] >> 4 == 7, bytes[8] >> 6 == 2 else {
            throw StorageError(code: .unexpectedValue, reason: "not a time-ordered id of sixteen bytes")
        }
        self.bytes = bytes
    }

    /// Reads the text form strictly: 32 lower-case hexadecimal digits and nothing else.
    public init(text: some StringProtocol) throws(StorageError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        // As a string: the loop over a generic text costs ten times as much.
        for digit in String(text).utf8 {
            let nibble: UInt8
            switch digit {
            case 0x30...0x39: nibble = digit - 0x30
            case 0x61...0x66: nibble = digit - 0x61 + 10
            default: throw Self.notAnID
            }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
            guard bytes.count <= 16 else { throw Self.notAnID }
        }
        guard bytes.count == 16, high == nil else { throw Self.notAnID }
        try self.init(bytes: bytes)
    }

    private static var notAnID: StorageError {
        StorageError(code: .unexpectedValue, reason: "an id is 32 lower-case hexadecimal digits")
    }

    fileprivate static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x61 - 10 + nibble }

    /// The instant of making, to the 0.25 microseconds that the fraction resolves, rounded down.
    public var instant: Timestamp {
        let milliseconds = bytes[0..<6].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let fraction = Int64(bytes[6] & 0x0F) << 8 | Int64(bytes[7])
        return Timestamp(microseconds: milliseconds * 1_000 + (fraction * 1_000 + 4_095) / 4_096)
    }

    public var sqlValue: SQLValue { .blob(bytes) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }
}

extension TimeOrderedID: CustomStringConvertible {
    /// 32 lower-case hexadecimal digits, in the order of the ids themselves.
    public var description: String {
        String(unsafeUninitializedCapacity: 32) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = Self.digit(byte >> 4)
                text[2 * index + 1] = Self.digit(byte & 0x0F)
            }
            return 32
        }
    }
}

extension Row {
    /// Reads a blob; throws where its bytes are no id.
    public func timeOrderedID(_ column: Int) throws -> TimeOrderedID { try TimeOrderedID(bytes: blob(column)) }
    /// Reads an integer as microseconds since 1970.
    public func timestamp(_ column: Int) throws -> Timestamp { Timestamp(microseconds: try integer(column)) }
    /// Reads an integer as microseconds since 1970; `nil` for `NULL`.
    public func optionalTimestamp(_ column: Int) throws -> Timestamp? { try optionalInteger(column).map { Timestamp(microseconds: $0) } }
}
