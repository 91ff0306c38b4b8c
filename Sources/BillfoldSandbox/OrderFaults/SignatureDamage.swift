/// What can happen to the signature of a message, wherever it stands: in a header, in a member of a form, of JSON or of XML.
enum SignatureDamage {
    /// One letter is another one.
    case corrupt
    /// It is not there.
    case missing

    private static let headers = ["signature", "webhook-signature"]

    /// The message with its signature damaged; nil where it has none.
    func done(to headers: [(name: String, value: String)], _ body: [UInt8]) -> (headers: [(name: String, value: String)], body: [UInt8])? {
        if let place = headers.firstIndex(where: { Self.headers.contains($0.name.lowercased()) }) {
            var headers = headers
            switch self {
            case .missing: headers.remove(at: place)
            case .corrupt:
                // While keys rotate there are several, with a space between them; any one of them would do.
                let several = headers[place].name.lowercased() == "webhook-signature"
                let parts = several ? headers[place].value.split(separator: " ").map(String.init) : [headers[place].value]
                let changed = parts.compactMap(Self.changed)
                guard changed.count == parts.count else { return nil }
                headers[place].value = changed.joined(separator: " ")
            }
            return (headers, body)
        }
        guard let found = Self.place(in: body) else { return nil }
        var body = body
        switch self {
        case .missing: body.removeSubrange(found.whole)
        case .corrupt: guard Self.change(&body, found.letters) else { return nil }
        }
        return (headers, body)
    }

    /// `algorithm=…,signature=` and `v1,` stand before the letters themselves.
    private static func changed(_ header: String) -> String? {
        var value = Array(header.utf8)
        let comma = value.lastIndex(of: UInt8(ascii: ",")).map { $0 + 1 } ?? 0
        let start = range(of: Array("signature=".utf8), in: value, from: comma).map(\.upperBound) ?? comma
        return change(&value, start..<value.count) ? String(decoding: value, as: UTF8.self) : nil
    }

    /// Where the letters are, and what goes with them when the signature goes.
    private static func place(in body: [UInt8]) -> (letters: Range<Int>, whole: Range<Int>)? {
        func ending(_ mark: String, _ stop: UInt8?) -> (letters: Range<Int>, start: Int)? {
            guard let found = range(of: Array(mark.utf8), in: body, from: 0, isLast: true) else { return nil }
            let end = stop.flatMap { stop in body[found.upperBound...].firstIndex(of: stop) } ?? body.count
            return (found.upperBound..<end, found.lowerBound)
        }
        if body.first == UInt8(ascii: "{") {
            if let found = ending(#","sign":""#, UInt8(ascii: "\"")) { return (found.letters, found.start..<found.letters.upperBound + 1) }
            // The signature may stand first.
            guard let found = ending(#"{"sign":""#, UInt8(ascii: "\"")) else { return nil }
            return (found.letters, found.start + 1..<min(found.letters.upperBound + 2, body.count))
        }
        if let found = ending("<sign>", UInt8(ascii: "<")) {
            return (found.letters, found.start..<found.letters.upperBound + "</sign>".utf8.count)
        }
        if let found = ending("&sign=", UInt8(ascii: "&")) { return (found.letters, found.start..<found.letters.upperBound) }
        guard body.starts(with: "sign=".utf8) else { return nil }
        let end = body.firstIndex(of: UInt8(ascii: "&")) ?? body.count
        return ("sign=".utf8.count..<end, 0..<min(end + 1, body.count))
    }

    private static func range(of mark: [UInt8], in bytes: [UInt8], from start: Int, isLast: Bool = false) -> Range<Int>? {
        guard bytes.count - start >= mark.count else { return nil }
        let places = start...(bytes.count - mark.count)
        let fits = { (place: Int) in bytes[place..<place + mark.count].elementsEqual(mark) }
        let place = isLast ? places.last(where: fits) : places.first(where: fits)
        return place.map { $0..<$0 + mark.count }
    }

    /// Changes the first letter that is no part of a percent-encoded one. The first letters of base64 and of hexadecimal all count.
    private static func change(_ bytes: inout [UInt8], _ letters: Range<Int>) -> Bool {
        var index = letters.lowerBound
        while index < letters.upperBound {
            if bytes[index] == UInt8(ascii: "%") {
                index += 3
            } else if bytes[index] & 0xDF >= UInt8(ascii: "A"), bytes[index] & 0xDF <= UInt8(ascii: "Z") {
                bytes[index] = bytes[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
                return true
            } else if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
                bytes[index] = bytes[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
                return true
            } else {
                index += 1
            }
        }
        return false
    }
}
