import PaymentCrypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `application/x-www-form-urlencoded` as merchants and UnionPay post it: keys plain, values percent-encoded, and that
/// encoding on the wire only. What is signed is the unencoded text.
public enum FormBody {
    /// The largest body that is read; a notification is about 4 KB.
    public static let maximumLength = 256 * 1024

    /// Encodes the fields sorted by key. Everything but `A-Z a-z 0-9 - . _ *` in a value is escaped, a space as `%20`, so
    /// that `+` never has two meanings.
    public static func encode(_ fields: UnionPayFields) throws(UnionPayError) -> String {
        String(decoding: try bytes(of: fields), as: UTF8.self)
    }

    /// As ``encode(_:)``, the bytes to be posted.
    public static func bytes(of fields: UnionPayFields) throws(UnionPayError) -> [UInt8] {
        let encoding = try TextEncoding(of: fields)
        var pairs: [(name: String, value: [UInt8])] = []
        pairs.reserveCapacity(fields.entries.count)
        for entry in fields.sorted { pairs.append((entry.name, try encoding.encode(entry.value))) }
        let length = pairs.reduce(0) { $0 + $1.name.utf8.count + 3 * $1.value.count + 2 }
        return .written(capacity: length) { text in
            for (name, value) in pairs { text.addPair(name) { $0.addEscaped(value) } }
        }
    }

    /// Reads a posted body strictly: every pair has a `=` and a key of letters, digits, `_`, `-` or `.`; keys are unique;
    /// escapes are two hex digits; bytes are text in the message's `encoding`. `+` is a space, as forms have it.
    ///
    /// Give it the body alone. A query string or cookies merged into the fields break every signature.
    public static func decode(_ body: [UInt8]) throws(UnionPayError) -> UnionPayFields {
        guard body.count <= maximumLength else { throw UnionPayError(code: .malformedBody, reason: "the body is too long") }
        var raw: [(name: String, value: ArraySlice<UInt8>)] = []
        raw.reserveCapacity(32)
        if body.isEmpty { return UnionPayFields() }
        var start = 0
        while start <= body.count {
            let end = body.place(of: UInt8(ascii: "&"), in: start..<body.count) ?? body.count
            guard let equals = body.place(of: UInt8(ascii: "="), in: start..<end) else {
                throw UnionPayError(code: .malformedBody, reason: "a pair has no =")
            }
            let name = body[start..<equals]
            guard !name.isEmpty, name.allSatisfy(isNameByte) else {
                throw UnionPayError(code: .malformedBody, reason: "a key is empty or holds a character that keys do not have")
            }
            raw.append((String(decoding: name, as: UTF8.self), try unescape(body[(equals + 1)..<end])))
            start = end + 1
        }
        let named = raw.first { $0.name == "encoding" }.map { String(decoding: $0.value, as: UTF8.self) } ?? "UTF-8"
        guard let encoding = TextEncoding(name: named) else {
            throw UnionPayError(code: .unsupported, reason: "encoding is neither UTF-8 nor GBK")
        }
        var entries: [UnionPayFields.Entry] = []
        entries.reserveCapacity(raw.count)
        for (name, value) in raw { entries.append(.init(name, try encoding.decode(value))) }
        return try UnionPayFields(entries)
    }

    static func isNameByte(_ byte: UInt8) -> Bool { PercentEncoding.isNameByte(byte) }

    private static func unescape(_ bytes: ArraySlice<UInt8>) throws(UnionPayError) -> ArraySlice<UInt8> {
        // Most values are as they stand.
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return bytes }
        guard let result = PercentEncoding.decode(bytes, plusIsSpace: true) else {
            throw UnionPayError(code: .malformedBody, reason: "a percent sign is not followed by two hex digits")
        }
        return result[...]
    }
}

extension [UInt8] {
    /// The first place of a byte. The library's search is the fast one, and bodies have kilobytes.
    fileprivate func place(of byte: UInt8, in range: Range<Int>) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, CInt(byte), range.count) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
