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
        while index + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let found =
                belowSpace(word) | equal(UInt8(ascii: "\""), word) | equal(UInt8(ascii: "\\"), word)
                | (escapesSlash ? equal(UInt8(ascii: "/"), word) : 0)
            if found != 0 { break }
            bits |= word
            index += 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (byte == UInt8(ascii: "/") && escapesSlash) {
                break
            }
            bits |= UInt64(byte)
            index += 1
        }
        return (index, bits & tops == 0)
    }

    /// Whether the text holds a control character: one below 0x20, or 0x7F.
    static func holdsControl(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if belowSpace(word) | equal(0x7F, word) != 0 { return true }
            index += 8
        }
        return text[index...].contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// Not zero exactly where one of the eight bytes is below 0x20: taking 0x20 from each borrows only where one is.
    private static func belowSpace(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word & tops }

    /// Not zero exactly where one of the eight bytes is this one.
    private static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 {
        let different = word ^ (ones &* UInt64(byte))
        return (different &- ones) & ~different & tops
    }
}
