/// Other spellings of one JSON text that leave its order and its blanks as they are: what typed serialisers and line ends make of a body.
enum BodySpelling {
    /// Each with what tells it from the body.
    static func variants(of body: [UInt8]) -> [(style: String, bytes: [UInt8])] {
        lineEnds(of: body) + bareAndQuoted(body)
    }

    // MARK: Line ends

    private static func lineEnds(of body: [UInt8]) -> [(style: String, bytes: [UInt8])] {
        let (carriage, line) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        guard body.contains(line) else { return [] }
        let unix = body.filter { $0 != carriage }
        let dos = unix.flatMap { $0 == line ? [carriage, line] : [$0] }
        return [("with CR LF inside", dos), ("with LF inside", unix)]
    }

    // MARK: Numbers and texts

    /// At most so many values are taken one by one.
    private static let mostValues = 12

    private struct Value {
        var range: Range<Int>
        var isQuoted: Bool
    }

    /// Numbers, true and false with quotation marks round them, or without: all of one kind, and each by itself.
    private static func bareAndQuoted(_ body: [UInt8]) -> [(style: String, bytes: [UInt8])] {
        let values = values(in: body)
        var found: [(style: String, bytes: [UInt8])] = []
        for (isQuoted, all, one) in [
            (false, "every number as a text", "one number as a text"), (true, "every text of digits as a number", "one text as a number"),
        ] {
            let those = values.filter { $0.isQuoted == isQuoted }
            guard !those.isEmpty else { continue }
            found.append((all, changing(those, in: body)))
            if those.count > 1 { found += those.prefix(mostValues).map { (one, changing([$0], in: body)) } }
        }
        return found
    }

    private static func changing(_ values: [Value], in body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var next = 0
        for value in values {
            bytes += body[next..<value.range.lowerBound]
            let text = body[value.range]
            bytes += value.isQuoted ? Array(text.dropFirst().dropLast()) : [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
            next = value.range.upperBound
        }
        return bytes + body[next...]
    }

    /// What has the same letters as a text and without quotation marks.
    private static func values(in body: [UInt8]) -> [Value] {
        var found: [Value] = []
        var index = 0
        while index < body.count {
            if body[index] == UInt8(ascii: "\"") {
                let end = endOfText(in: body, from: index)
                let isName = body[end...].first { $0 > 0x20 } == UInt8(ascii: ":")
                if !isName, end - index > 2, isBare(body[(index + 1)..<(end - 1)]) {
                    found.append(.init(range: index..<end, isQuoted: true))
                }
                index = end
            } else if isWordByte(body[index]) {
                let end = body[index...].firstIndex { !isWordByte($0) } ?? body.count
                if isBare(body[index..<end]) { found.append(.init(range: index..<end, isQuoted: false)) }
                index = end
            } else {
                index += 1
            }
        }
        return found
    }

    private static func endOfText(in body: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < body.count, body[index] != UInt8(ascii: "\"") { index += body[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index + 1, body.count)
    }

    private static func isBare(_ text: ArraySlice<UInt8>) -> Bool {
        if text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) { return true }
        return text.contains { (0x30...0x39).contains($0) } && text.allSatisfy { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    // MARK: Members that are null

    /// Members that may be absent, and are null in a typed serialiser's hands.
    private static let optional = [
        "note", "memo", "remark", "extendInfo", "passThroughInfo", "metadata", "paymentId", "paymentRequestId", "refundId",
        "refundRequestId", "paymentNotifyUrl", "paymentRedirectUrl", "paymentExpiryTime", "settlementStrategy", "paymentFactor", "env",
        "goods", "buyer", "userRegion", "merchantRegion", "refundReason", "refundNotifyUrl", "acquirerId", "pspId", "customerId",
    ]

    /// The body with one such member: first or last of all, or last in an object inside.
    static func nulls(in body: [UInt8]) -> [(member: String, bytes: [UInt8])] {
        guard let open = body.firstIndex(where: { $0 > 0x20 }), body[open] == UInt8(ascii: "{"), body.count <= 65_536 else { return [] }
        let ends = body.indices.filter { body[$0] == UInt8(ascii: "}") }.suffix(6)
        return optional.flatMap { name -> [(member: String, bytes: [UInt8])] in
            let member = Array("\"\(name)\":null".utf8)
            var found = [("\(name) null", Array(body[...open]) + member + [UInt8(ascii: ",")] + body[(open + 1)...])]
            for end in ends.reversed() {
                found.append(("\(name) null", Array(body[..<end]) + [UInt8(ascii: ",")] + member + body[end...]))
            }
            return found
        }
    }
}
