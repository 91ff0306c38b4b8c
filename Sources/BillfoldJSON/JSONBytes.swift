/// JSON text under construction. An array looks at every letter whether somebody else holds it, and most of what is written is one letter
/// long.
struct JSONBytes: ~Copyable {
    /// Holds most documents, and what the allocator keeps at hand.
    private static let first = 1_000

    private var letters = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.first)
    private var capacity = Self.first
    private(set) var count = 0

    deinit { letters.deallocate() }

    /// A copy of what was written.
    var array: [UInt8] { Array(UnsafeBufferPointer(start: letters, count: count)) }

    mutating func append(_ letter: UInt8) {
        if count == capacity { grow(by: 1) }
        letters[count] = letter
        count += 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        if bytes.count > capacity - count { grow(by: bytes.count) }
        UnsafeMutableRawPointer(letters + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends a text between quotation marks, unless a letter of it cannot stand there as it is: then nothing, and false.
    mutating func appendQuoted(_ text: UnsafeRawBufferPointer, escapesSlash: Bool, isASCII: Bool) -> Bool {
        let quoted = text.count + 2
        // With a word behind the text, so that no word of it has to be read in parts.
        if quoted + 8 > capacity - count { grow(by: quoted + 8) }
        let written = UnsafeMutableRawPointer(letters + count + 1)
        if let start = text.baseAddress { written.copyMemory(from: start, byteCount: text.count) }
        written.storeBytes(of: 0x2020_2020_2020_2020, toByteOffset: text.count, as: UInt64.self)
        var found: UInt64 = 0
        var index = 0
        while index < text.count {
            let word = written.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            found |= PlainRun.marks(in: word, escapesSlash: escapesSlash, isASCII: isASCII)
            index += 8
        }
        guard found == 0 else { return false }
        letters[count] = UInt8(ascii: "\"")
        letters[count + quoted - 1] = UInt8(ascii: "\"")
        count += quoted
        return true
    }

    mutating func append(_ text: StaticString) { append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    mutating func append(_ letter: UInt8, times: Int) {
        for _ in 0..<times { append(letter) }
    }

    /// Takes back what was written from here on.
    mutating func removeAll(from place: Int) { count = place }

    /// Writes parts of what stands from `start` on once more in its place, in this order and with a comma between each two.
    mutating func arrange(from start: Int, _ parts: some Sequence<Range<Int>>) {
        let old = Array(UnsafeBufferPointer(start: letters + start, count: count - start))
        count = start
        old.withUnsafeBytes { old in
            for part in parts {
                if count > start { append(UInt8(ascii: ",")) }
                append(UnsafeRawBufferPointer(rebasing: old[part.lowerBound - start..<part.upperBound - start]))
            }
        }
    }

    private mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        moved.update(from: letters, count: count)
        letters.deallocate()
        letters = moved
    }
}
