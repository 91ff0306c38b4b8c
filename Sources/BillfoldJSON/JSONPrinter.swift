/// One pass over a value that appends its text.
struct JSONPrinter: ~Copyable {
    let style: JSONStyle
    var output = JSONBytes()

    init(style: JSONStyle) { self.style = style }

    mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: output.append("null" as StaticString)
        case .bool(let flag): output.append(flag ? "true" : "false" as StaticString)
        case .number(let literal): output.append(literal)
        case .string(let text): quote(text)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                separate(index, depth + 1)
                write(value, depth: depth + 1)
            }
            close(UInt8(ascii: "]"), isEmpty: values.isEmpty, depth)
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            let members =
                style.sortsKeys
                ? object.members.sorted { ExactText.precedes($0.key, $1.key) } : object.members
            for (index, member) in members.enumerated() {
                separate(index, depth + 1)
                quote(member.key)
                output.append(UInt8(ascii: ":"))
                if style.spacing != .compact { output.append(0x20) }
                write(member.value, depth: depth + 1)
            }
            close(UInt8(ascii: "}"), isEmpty: members.isEmpty, depth)
        }
    }

    private mutating func separate(_ index: Int, _ depth: Int) {
        if index > 0 {
            output.append(UInt8(ascii: ","))
            if style.spacing == .spaced { output.append(0x20) }
        }
        newline(depth)
    }

    private mutating func close(_ byte: UInt8, isEmpty: Bool, _ depth: Int) {
        if !isEmpty { newline(depth) }
        output.append(byte)
    }

    private mutating func newline(_ depth: Int) {
        guard let indent = style.spacing.indent else { return }
        output.append(0x0A)
        output.append(0x20, times: depth * indent)
    }

    mutating func quote(_ text: String) {
        var text = text
        // Nearly every text is one run, and short: it is written first and looked at then.
        let isWritten = text.withUTF8 {
            output.appendQuoted(UnsafeRawBufferPointer($0), escapesSlash: style.escapesSlash, isASCII: style.isASCII)
        }
        if !isWritten { quoteEscaping(&text) }
    }

    private mutating func quoteEscaping(_ text: inout String) {
        output.append(UInt8(ascii: "\""))
        if style.isASCII {
            for unit in text.utf16 {
                if unit < 0x80 { append(UInt8(unit)) } else { escape(unit) }
            }
        } else {
            text.withUTF8 { bytes in
                var rest = UnsafeRawBufferPointer(bytes)
                while !rest.isEmpty {
                    let run = PlainRun.end(in: rest, escapesSlash: style.escapesSlash).index
                    output.append(UnsafeRawBufferPointer(rebasing: rest[..<run]))
                    guard run < rest.count else { break }
                    append(rest[run])
                    rest = UnsafeRawBufferPointer(rebasing: rest[(run + 1)...])
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): escape(byte)
        case UInt8(ascii: "/") where style.escapesSlash: escape(byte)
        case 0x0A: escape(UInt8(ascii: "n"))
        case 0x0D: escape(UInt8(ascii: "r"))
        case 0x09: escape(UInt8(ascii: "t"))
        case 0..<0x20: escape(UInt16(byte))
        default: output.append(byte)
        }
    }

    private mutating func escape(_ letter: UInt8) {
        output.append(0x5C)
        output.append(letter)
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        output.append("\\u" as StaticString)
        output.append(UInt8(ascii: "0"), times: 4 - digits.utf8.count)
        output.append(digits)
    }
}
