/// Reads tag, length and content one element after another, without building a tree.
///
/// Lengths are checked before anything is touched, so that no input can make it read outside its bytes or recurse.
/// In BER it takes indefinite lengths and lengths in more bytes than needed; in DER it refuses both.
struct BERReader {
    enum Rules { case der, ber }

    struct Element {
        /// The identifier byte: class, constructed bit and tag number (below 31; no structure read here needs more).
        var tag: UInt8
        /// Where the element begins and ends, tag and end-of-contents included.
        var whole: Range<Int>
        /// Where the content begins and ends.
        var content: Range<Int>
        var isIndefinite: Bool
    }

    let bytes: [UInt8]
    let rules: Rules
    let maximumDepth: Int
    let depth: Int
    let end: Int
    private(set) var position: Int

    init(_ bytes: [UInt8], rules: Rules, maximumDepth: Int = 16) {
        self.init(bytes, range: 0..<bytes.count, rules: rules, maximumDepth: maximumDepth, depth: 0)
    }

    init(_ bytes: [UInt8], range: Range<Int>, rules: Rules, maximumDepth: Int = 16, depth: Int = 0) {
        self.bytes = bytes
        self.rules = rules
        self.maximumDepth = maximumDepth
        self.depth = depth
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position >= end }

    /// The tag of the next element, or nil at the end.
    var peek: UInt8? { position < end ? bytes[position] : nil }

    /// Reads the next element whatever its tag.
    mutating func next() throws(PaymentCryptoError) -> Element {
        let header = try Self.header(bytes, at: position, end: end, rules: rules)
        if let length = header.length {
            let element = Element(
                tag: header.tag, whole: position..<header.start + length, content: header.start..<header.start + length,
                isIndefinite: false)
            position = element.whole.upperBound
            return element
        }
        let contentEnd = try endOfContents(from: header.start)
        let element = Element(
            tag: header.tag, whole: position..<contentEnd + 2, content: header.start..<contentEnd, isIndefinite: true)
        position = element.whole.upperBound
        return element
    }

    /// Reads the next element and requires its tag.
    mutating func next(_ tag: UInt8, _ what: StaticString) throws(PaymentCryptoError) -> Element {
        guard let found = peek else { throw Self.malformed("\(what) is missing") }
        guard found == tag else { throw Self.malformed("\(what) has tag \(found), not \(tag)") }
        return try next()
    }

    /// Reads the next element when it has the tag.
    mutating func nextIf(_ tag: UInt8) throws(PaymentCryptoError) -> Element? {
        peek == tag ? try next() : nil
    }

    /// A reader of an element's content.
    func inside(_ element: Element) throws(PaymentCryptoError) -> BERReader {
        guard depth < maximumDepth else {
            throw PaymentCryptoError(code: .nestingTooDeep, reason: "more than \(maximumDepth) levels")
        }
        return BERReader(bytes, range: element.content, rules: rules, maximumDepth: maximumDepth, depth: depth + 1)
    }

    /// Reads the next element, requires its tag, and returns a reader of its content.
    mutating func enter(_ tag: UInt8, _ what: StaticString) throws(PaymentCryptoError) -> BERReader {
        try inside(next(tag, what))
    }

    func requireEnd(_ what: StaticString) throws(PaymentCryptoError) {
        guard isAtEnd else { throw Self.malformed("bytes follow the end of \(what)") }
    }

    static func malformed(_ reason: String) -> PaymentCryptoError {
        PaymentCryptoError(code: .malformedASN1, reason: reason)
    }

    /// Finds the end-of-contents bytes of an element of indefinite length.
    private func endOfContents(from start: Int) throws(PaymentCryptoError) -> Int {
        var open = 1
        var index = start
        while index < end {
            if bytes[index] == 0 {
                guard index + 1 < end, bytes[index + 1] == 0 else { throw Self.malformed("damaged end of contents") }
                open -= 1
                if open == 0 { return index }
                index += 2
                continue
            }
            let header = try Self.header(bytes, at: index, end: end, rules: rules)
            if let length = header.length {
                index = header.start + length
            } else {
                open += 1
                guard depth + open <= maximumDepth else {
                    throw PaymentCryptoError(code: .nestingTooDeep, reason: "more than \(maximumDepth) levels")
                }
                index = header.start
            }
        }
        throw Self.malformed("an element of indefinite length does not end")
    }

    /// Tag, where the content starts, and its length (nil for the indefinite form).
    private static func header(
        _ bytes: [UInt8], at position: Int, end: Int, rules: Rules
    ) throws(PaymentCryptoError) -> (tag: UInt8, start: Int, length: Int?) {
        guard position + 1 < end else { throw malformed("the bytes end inside an element") }
        let tag = bytes[position]
        guard tag & 0x1F != 0x1F else { throw malformed("tag numbers above 30 are not used here") }
        guard tag != 0 else { throw malformed("end of contents where an element was expected") }
        let first = bytes[position + 1]
        let start = position + 2
        if first < 0x80 {
            guard start + Int(first) <= end else { throw malformed("an element is longer than what holds it") }
            return (tag, start, Int(first))
        }
        if first == 0x80 {
            guard rules == .ber else { throw malformed("indefinite length where DER is required") }
            guard tag & 0x20 != 0 else { throw malformed("indefinite length on a primitive element") }
            return (tag, start, nil)
        }
        let count = Int(first & 0x7F)
        guard count <= 4, start + count <= end else { throw malformed("a length that no message here can have") }
        var length = 0
        for index in start..<start + count { length = length << 8 | Int(bytes[index]) }
        if rules == .der, length < 0x80 || bytes[start] == 0 { throw malformed("a length is not in its shortest form") }
        guard length <= end - start - count else { throw malformed("an element is longer than what holds it") }
        return (tag, start + count, length)
    }
}
