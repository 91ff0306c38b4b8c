/// A file whose content stands inside of something else, as people hand files over: with a byte order mark, in UTF-16, in a line of a log,
/// in
/// base64 or percent-encoded.
///
/// Only what nobody knows as it is is looked at so: what a diagnostician reads itself, damage and all, it also judges.
struct CarriedForm {
    let bytes: [UInt8]
    /// What stood round it, in words.
    let words: String

    /// The most bytes that are looked at.
    private static let byteLimit = 262_144

    /// Likeliest first; none for binary data and for what is too large.
    static func all(of bytes: [UInt8]) -> [CarriedForm] {
        guard !bytes.isEmpty, bytes.count <= byteLimit else { return [] }
        if let text = utf16(bytes) { return [CarriedForm(bytes: Array(text.utf8), words: "in UTF-16")] }
        var forms: [CarriedForm] = []
        func add(_ words: String, _ other: [UInt8]?) {
            guard let other, !other.isEmpty, other != bytes, !forms.contains(where: { $0.bytes == other }) else { return }
            forms.append(CarriedForm(bytes: other, words: words))
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { add("behind a byte order mark", Array(bytes.dropFirst(3))) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return forms }
        add("with blanks and line ends round it", trimmed(bytes))
        add("in a line of a log, or beside other text", object(in: bytes))
        add("as a text of JSON", quoted(text))
        add("with entities of HTML", Array(HTMLEntities.unescape(text).utf8))
        add("percent-encoded", percentDecoded(bytes))
        add("in base64", base64(bytes))
        return forms
    }

    private static func utf16(_ bytes: [UInt8]) -> String? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]), bytes.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        for index in stride(from: 2, to: bytes.count, by: 2) {
            let (high, low) = isLittle ? (bytes[index + 1], bytes[index]) : (bytes[index], bytes[index + 1])
            units.append(UInt16(high) * 256 + UInt16(low))
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let front = bytes.drop(while: isBlank)
        return Array(front.reversed().drop(while: isBlank).reversed())
    }

    /// From the first brace to the one that closes it, where other text stands in front or behind.
    private static func object(in bytes: [UInt8]) -> [UInt8]? {
        guard let begin = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
        var (depth, isText, isEscaped) = (0, false, false)
        for index in begin..<bytes.count {
            let byte = bytes[index]
            if isText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isText = true
            } else if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return Array(bytes[begin...index]) }
            }
        }
        return nil
    }

    /// The text inside of quotation marks, with the escapes that quotation marks and line ends have.
    private static func quoted(_ text: String) -> [UInt8]? {
        let bare = trimmed(Array(text.utf8))
        guard bare.count > 2, bare.first == UInt8(ascii: "\""), bare.last == UInt8(ascii: "\"") else { return nil }
        let inner = String(decoding: bare[1..<(bare.count - 1)], as: UTF8.self)
        return Array(
            inner.replacing("\\r\\n", with: "\r\n").replacing("\\n", with: "\n").replacing("\\/", with: "/").replacing("\\\"", with: "\"")
                .replacing("\\\\", with: "\\").utf8)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "%")) else { return nil }
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2]) else { return nil }
            output.append(high << 4 | low)
            index += 3
        }
        return output
    }

    /// Base64 in any number of lines, of either alphabet.
    private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
        let letters = bytes.filter { !isBlank($0) && $0 != UInt8(ascii: "=") }
        guard letters.count >= 16, letters.count % 4 != 1 else { return nil }
        var output: [UInt8] = []
        var (buffer, count): (UInt32, Int) = (0, 0)
        for letter in letters {
            let value: UInt8
            switch letter {
            case 0x41...0x5A: value = letter - 0x41
            case 0x61...0x7A: value = letter - 0x47
            case 0x30...0x39: value = letter + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            default: return nil
            }
            buffer = buffer << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            output.append(UInt8(truncatingIfNeeded: buffer >> UInt32(count)))
            buffer &= (1 << UInt32(count)) - 1
        }
        return output
    }
}
