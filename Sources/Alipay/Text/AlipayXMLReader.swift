import PaymentCrypto

/// One pass over the UTF-8 bytes of an XML text.
struct AlipayXMLReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(AlipayError) -> AlipayXML.Element {
        skip("\u{FEFF}")
        if skip("<?xml") { try skipPast("?>") }
        try skipMiscellany()
        guard peek == UInt8(ascii: "<") else { throw malformed("an element is due") }
        let root = try element(depth: 1)
        try skipMiscellany()
        guard index == bytes.count else { throw malformed("something follows the document") }
        return root
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private func malformed(_ reason: String, line: Int = #line) -> AlipayError {
        AlipayError(code: .malformedXML, reason: "\(reason) at byte \(index)", line: line)
    }

    @discardableResult
    private mutating func skip(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func skipPast(_ text: String) throws(AlipayError) {
        while index < bytes.count { if skip(text) { return } else { index += 1 } }
        throw malformed("\(text) is due")
    }

    private mutating func skipSpace() { while let byte = peek, Self.isSpace(byte) { index += 1 } }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func skipMiscellany() throws(AlipayError) {
        while true {
            skipSpace()
            guard skip("<!--") else { return }
            try skipPast("-->")
        }
    }

    private mutating func name() throws(AlipayError) -> String {
        let start = index
        while let byte = peek, PercentEncoding.isNameByte(byte) || byte == UInt8(ascii: ":") { index += 1 }
        guard index > start, !(0x2D...0x39).contains(bytes[start]) else { throw malformed("a name is due") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func element(depth: Int) throws(AlipayError) -> AlipayXML.Element {
        guard depth <= AlipayXML.maximumDepth else {
            throw AlipayError(code: .tooLarge, reason: "XML nested more than \(AlipayXML.maximumDepth) deep")
        }
        index += 1
        var element = AlipayXML.Element(try name())
        while true {
            skipSpace()
            if skip("/>") { return element }
            if skip(">") { break }
            let name = try name()
            skipSpace()
            guard skip("="), element.attributes[name] == nil else { throw malformed("an attribute is wrong") }
            skipSpace()
            guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw malformed("a quotation mark is due")
            }
            index += 1
            element.attributes[name] = try text(until: quote)
            index += 1
        }
        while true {
            element.text += try text(until: UInt8(ascii: "<"))
            if skip("</") {
                guard try name() == element.name else { throw malformed("another element ends here") }
                skipSpace()
                guard skip(">") else { throw malformed("> is due") }
                break
            }
            if skip("<!--") {
                try skipPast("-->")
                continue
            }
            element.children.append(try self.element(depth: depth + 1))
        }
        // White space between elements is layout.
        if !element.children.isEmpty, element.text.utf8.allSatisfy(Self.isSpace) { element.text = "" }
        return element
    }

    /// Stops before `end`, and refuses the end of the text.
    private mutating func text(until end: UInt8) throws(AlipayError) -> String {
        var result: [UInt8] = []
        while let byte = peek, byte != end {
            guard byte != UInt8(ascii: "<") else { throw malformed("< in an attribute") }
            index += 1
            result += byte == UInt8(ascii: "&") ? try reference() : [byte]
        }
        guard peek == end else { throw malformed("the text ends inside an element") }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func reference() throws(AlipayError) -> [UInt8] {
        let start = index
        while let byte = peek, byte != UInt8(ascii: ";"), index - start < 10 { index += 1 }
        guard peek == UInt8(ascii: ";") else { throw malformed("a reference has no end") }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst(1)
            guard name.hasPrefix("#"), let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                let scalar = Unicode.Scalar(number), number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number)
            else { throw malformed("no entity is known but the five of XML") }
            return Array(String(Character(scalar)).utf8)
        }
    }
}
