/// Looks through UTF-8 text eight bytes at a time: every text that comes or leaves is read whole, and byte by byte that took longer
/// than the rest of reading and writing JSON.
enum PlainRun {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Where the first byte at or behind `start` is that cannot stand in a JSON string as it is (a control character, a quotation mark or a
    /// backslash, a slash where it is escaped), the text's length where there is none; and whether all before it is ASCII.
    static func end(
        in text: UnsafeRawBufferPointer, from start: Int = 0, escapesSlash: Bool = false
    ) -> (index: Int, isASCII: Bool) {
        var (index, bits) = (start, UInt64(0))
        while index < text.count {
            let word = word(of: text, at: index)
            let found = marks(in: word, escapesSlash: escapesSlash, isASCII: false)
            guard found == 0 else {
                // What the subtractions borrow falsifies later bytes alone: the first that is marked is one.
                let plain = found.trailingZeroBitCount / 8
                return (index + plain, (bits | word & ~(.max << (8 * UInt64(plain)))) & tops == 0)
            }
            bits |= word
            index += 8
        }
        return (text.count, bits & tops == 0)
    }

    /// Not zero exactly where one of the eight bytes cannot stand in a JSON string as it is: where all are to be ASCII, another one too.
    @inline(__always)
    static func marks(in word: UInt64, escapesSlash: Bool, isASCII: Bool) -> UInt64 {
        belowSpace(word) | equal(UInt8(ascii: "\""), word) | equal(UInt8(ascii: "\\"), word)
            | (escapesSlash ? equal(UInt8(ascii: "/"), word) : 0) | (isASCII ? word & tops : 0)
    }

    /// Eight bytes from here, the first in the lowest bits; spaces where the text has ended.
    @inline(__always)
    private static func word(of text: UnsafeRawBufferPointer, at index: Int) -> UInt64 {
        let rest = text.count - index
        if rest >= 8 { return UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self)) }
        // The eight that end with the last, without those that were looked at.
        var word: UInt64 = 0
        if text.count >= 8 {
            word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)) >> (8 * UInt64(8 - rest))
        } else {
            word = short(text) >> (8 * UInt64(index))
        }
        return word | ones &* 0x20 << (8 * UInt64(rest))
    }

    /// One to seven bytes, by two halves that overlap.
    private static func short(_ text: UnsafeRawBufferPointer) -> UInt64 {
        func half<Half: FixedWidthInteger>(_ type: Half.Type, at place: Int) -> UInt64 {
            UInt64(truncatingIfNeeded: Half(littleEndian: text.loadUnaligned(fromByteOffset: place, as: type))) << (8 * UInt64(place))
        }
        if text.count >= 4 { return half(UInt32.self, at: 0) | half(UInt32.self, at: text.count - 4) }
        if text.count >= 2 { return half(UInt16.self, at: 0) | half(UInt16.self, at: text.count - 2) }
        return UInt64(text[0])
    }

    /// Whether the text holds a control character: one below 0x20, or 0x7F.
    static func holdsControl(_ text: UnsafeRawBufferPointer) -> Bool {
        stride(from: 0, to: text.count, by: 8).contains { index in
            let word = word(of: text, at: index)
            return belowSpace(word) | equal(0x7F, word) != 0
        }
    }

    /// Not zero exactly where one of the eight bytes is below 0x20: taking 0x20 from each borrows only where one is.
    private static func belowSpace(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word & tops }

    /// Not zero exactly where one of the eight bytes is this one.
    private static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 {
        let different = word ^ (ones &* UInt64(byte))
        return (different &- ones) & ~different & tops
    }
}
