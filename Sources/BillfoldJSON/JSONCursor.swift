/// One pass over the bytes. It never reads beyond the buffer: every access goes through `peek`, or through an index that
/// was just compared with `bytes.count`.
struct JSONCursor {
    let bytes: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    private var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func document() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try self.value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw malformed("bytes follow the value") }
        return value
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func malformed(_ reason: String) -> JSONError {
        JSONError(code: .malformed, reason: "\(reason) at byte \(index)")
    }

    private var tooDeep: JSONError { JSONError(code: .tooDeep, reason: "nested more than \(maximumDepth) deep at byte \(index)") }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10: return .number(try number())
        case nil: throw malformed("the bytes end where a value is due")
        default: throw malformed("no value starts like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let count = word.utf8CodeUnitCount
        guard bytes.count - index >= count else { throw malformed("the bytes end inside a word") }
        for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] { throw malformed("unknown word") }
        index += count
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maximumDepth else { throw tooDeep }
        index += 1
        var object = JSONObject()
        var seen: Set<[UInt8]> = []
        skipSpace()
        if peek == UInt8(ascii: "}") {
            index += 1
            return object
        }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw malformed("a key is due") }
            let key = try string()
            // A linear search is quicker for the handful of members that real messages have; the set keeps a hostile
            // object with thousands of members from costing the square of its size.
            let repeated: Bool
            if object.members.count < 16 {
                repeated = object.members.contains { ExactText.equal($0.key, key) }
            } else {
                if seen.isEmpty { seen = Set(object.members.map { Array($0.key.utf8) }) }
                repeated = !seen.insert(Array(key.utf8)).inserted
            }
            guard !repeated else {
                throw JSONError(code: .duplicateKey, reason: "a key occurs twice in one object, before byte \(index)")
            }
            skipSpace()
            guard peek == UInt8(ascii: ":") else { throw malformed("a colon is due") }
            index += 1
            skipSpace()
            let start = index
            let value = try self.value(depth: depth)
            // One doubling less for most objects, and none for those of one member, of which hostile bytes may have very many.
            if object.members.count == 1 { object.members.reserveCapacity(4) }
            object.members.append(.init(key, value, range: start..<index))
            skipSpace()
            switch peek {
            case UInt8(ascii: ","):
                index += 1
                skipSpace()
            case UInt8(ascii: "}"):
                index += 1
                return object
            default: throw malformed("a comma or a closing brace is due")
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= maximumDepth else { throw tooDeep }
        index += 1
        var values: [JSONValue] = []
        skipSpace()
        if peek == UInt8(ascii: "]") {
            index += 1
            return values
        }
        while true {
            values.append(try value(depth: depth))
            skipSpace()
            switch peek {
            case UInt8(ascii: ","):
                index += 1
                skipSpace()
            case UInt8(ascii: "]"):
                index += 1
                return values
            default: throw malformed("a comma or a closing bracket is due")
            }
        }
    }

    private mutating func number() throws(JSONError) -> String {
        let start = index
        if peek == UInt8(ascii: "-") { index += 1 }
        let firstDigit = peek
        guard skipDigits() > 0 else { throw malformed("a digit is due") }
        if firstDigit == UInt8(ascii: "0"), index - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
            throw malformed("a number starts with a zero")
        }
        if peek == UInt8(ascii: ".") {
            index += 1
            guard skipDigits() > 0 else { throw malformed("a digit is due after the point") }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            index += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
            guard skipDigits() > 0 else { throw malformed("a digit is due in the exponent") }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index - start
    }

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        let (end, isASCII) = PlainRun.end(in: UnsafeRawBufferPointer(bytes), from: start)
        index = end
        switch peek {
        case UInt8(ascii: "\""):
            let letters = UnsafeBufferPointer(rebasing: bytes[start..<end])
            // Letters of ASCII need no validation.
            let text = isASCII ? String(decoding: letters, as: UTF8.self) : try validated(letters)
            index += 1
            return text
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        case nil: throw malformed("the bytes end inside a string")
        default: throw malformed("a raw control character in a string")
        }
    }

    private func validated(_ bytes: some Collection<UInt8>) throws(JSONError) -> String {
        if #available(iOS 18, *) {
            if let text = String(validating: bytes, as: UTF8.self) { return text }
        } else {
            // What is no UTF-8 comes out of its repair with other bytes.
            let text = String(decoding: bytes, as: UTF8.self)
            if text.utf8.elementsEqual(bytes) { return text }
        }
        throw malformed("a string is not UTF-8")
    }

    /// Continues a string whose first escape is at `index`.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return try validated(text)
            case UInt8(ascii: "\\"):
                text.append(contentsOf: try escape())
            case 0..<0x20: throw malformed("a raw control character in a string")
            default: text.append(byte)
            }
        }
        throw malformed("the bytes end inside a string")
    }

    private mutating func escape() throws(JSONError) -> [UInt8] {
        guard let kind = peek else { throw malformed("the bytes end inside an escape") }
        index += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [kind]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw malformed("unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONError) -> [UInt8] {
        var scalar = UInt32(try codeUnit())
        if (0xD800..<0xDC00).contains(scalar) {
            guard peek == UInt8(ascii: "\\") else { throw malformed("a lone surrogate") }
            index += 1
            guard peek == UInt8(ascii: "u") else { throw malformed("a lone surrogate") }
            index += 1
            let low = UInt32(try codeUnit())
            guard (0xDC00..<0xE000).contains(low) else { throw malformed("a lone surrogate") }
            scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let character = Unicode.Scalar(scalar) else { throw malformed("a lone surrogate") }
        return Array(String(Character(character)).utf8)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw malformed("four hexadecimal digits are due")
            }
            index += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
