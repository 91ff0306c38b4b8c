/// The body of a synchronous reply: `k=v&k=v` that is **not** percent-encoded.
///
/// Values may hold `{…}` or `[…]` with `&` and `=` inside, so `&` separates only outside brackets. The first `=` of a pair
/// splits it.
public enum ReplyBody {
    /// Reads a reply. Brackets must close; keys are unique. `&` and `=` inside brackets belong to the value.
    ///
    /// A closing bracket that nothing opened is text; an opening one that is never closed makes the reply unreadable, which
    /// the caller has to take as an unknown outcome.
    public static func decode(_ body: [UInt8], maximumLength: Int = 64 * 1024 * 1024) throws(UnionPayError) -> UnionPayFields {
        guard body.count <= maximumLength else { throw UnionPayError(code: .malformedBody, reason: "the reply is too long") }
        let raw = try split(body)
        let named = raw.first { $0.name == "encoding" }.map { String(decoding: $0.value, as: UTF8.self) } ?? "UTF-8"
        guard let encoding = TextEncoding(name: named) else {
            throw UnionPayError(code: .unsupported, reason: "encoding is neither UTF-8 nor GBK")
        }
        var entries: [UnionPayFields.Entry] = []
        for (name, value) in raw { entries.append(.init(name, try encoding.decode(value))) }
        return try UnionPayFields(entries)
    }

    /// Splits text that is known to be UTF-8, without looking at `encoding`.
    static func pairs(_ text: [UInt8]) throws(UnionPayError) -> [String: String] {
        var result: [String: String] = [:]
        for (name, value) in try split(text) { result[name] = String(decoding: value, as: UTF8.self) }
        return result
    }

    /// Whether a value surely ends where it ends: it holds no `&` at all, and closes every bracket that it opens.
    static func isOneValue(_ value: String) -> Bool {
        var value = value
        // Without a branch for each byte, many bytes are looked at at once; nearly no value goes on.
        let isPlain = value.withUTF8 { bytes in
            var found: UInt8 = 0
            for byte in bytes {
                found |=
                    (byte == UInt8(ascii: "&") ? 1 : 0) | (byte == UInt8(ascii: "{") ? 1 : 0) | (byte == UInt8(ascii: "[") ? 1 : 0)
                    | (byte == UInt8(ascii: "}") ? 1 : 0) | (byte == UInt8(ascii: "]") ? 1 : 0)
            }
            return found == 0
        }
        if isPlain { return true }
        var open: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "&"): return false
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.last == byte { open.removeLast() }
            default: break
            }
        }
        return open.isEmpty
    }

    private static func split(_ body: [UInt8]) throws(UnionPayError) -> [(name: String, value: ArraySlice<UInt8>)] {
        var raw: [(name: String, value: ArraySlice<UInt8>)] = []
        var index = body.startIndex
        while index < body.endIndex {
            guard let equals = body[index...].firstIndex(of: UInt8(ascii: "=")), equals > index,
                body[index..<equals].allSatisfy(FormBody.isNameByte)
            else { throw UnionPayError(code: .malformedBody, reason: "a pair has no key") }
            let start = equals + 1
            let end = try endOfValue(body, from: start)
            raw.append((String(decoding: body[index..<equals], as: UTF8.self), body[start..<end]))
            index = end + 1
            guard index != body.endIndex else { throw UnionPayError(code: .malformedBody, reason: "the reply ends with &") }
        }
        return raw
    }

    /// Writes a reply as the gateway does, sorted by key. `malformed-body` when a value could not be read back.
    public static func encode(_ fields: UnionPayFields) throws(UnionPayError) -> [UInt8] {
        let body = try TextEncoding(of: fields).encode(fields.sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))
        guard try decode(body).dictionary == fields.dictionary else {
            throw UnionPayError(code: .malformedBody, reason: "a value holds & outside brackets and cannot be sent in a reply")
        }
        return body
    }

    private static func endOfValue(_ body: [UInt8], from start: Int) throws(UnionPayError) -> Int {
        let ampersand = UInt8(ascii: "&")
        var open: [UInt8] = []
        var index = start
        while index < body.endIndex {
            switch body[index] {
            case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
            case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.last == body[index] { open.removeLast() }
            case ampersand where open.isEmpty: return index
            default: break
            }
            index += 1
        }
        guard open.isEmpty else { throw UnionPayError(code: .malformedBody, reason: "a bracket is not closed") }
        return body.endIndex
    }
}
