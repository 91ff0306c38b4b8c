import PaymentCrypto

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The character encodings that a message may name in `encoding`, and that a reconciliation file uses.
public enum TextEncoding: String, Sendable, Hashable, CaseIterable {
    case utf8 = "UTF-8"
    case gbk = "GBK"

    /// Reads the `encoding` field, in any letter case; `unsupported` when it names another. Absent means UTF-8.
    public init(of fields: UnionPayFields) throws(UnionPayError) {
        guard let name = fields.optional("encoding") else {
            self = .utf8
            return
        }
        guard let encoding = Self(name: name) else {
            throw UnionPayError(code: .unsupported, reason: "encoding is neither UTF-8 nor GBK")
        }
        self = encoding
    }

    public init?(name: String) {
        if let exact = Self(rawValue: name) {
            self = exact
            return
        }
        switch name.uppercased() {
        case "UTF-8", "UTF8": self = .utf8
        case "GBK", "GB18030", "GB2312": self = .gbk
        default: return nil
        }
    }

    /// The text's bytes, or `unencodable-text`.
    public func encode(_ text: String) throws(UnionPayError) -> [UInt8] {
        guard let bytes = self == .utf8 ? Array(text.utf8) : GBK.encode(text) else {
            throw UnionPayError(code: .unencodableText, reason: "text cannot be carried in \(rawValue)")
        }
        return bytes
    }

    /// The text of these bytes, or `unencodable-text`. Nothing is replaced or guessed.
    public func decode(_ bytes: [UInt8]) throws(UnionPayError) -> String { try decode(bytes[...]) }

    func decode(_ bytes: ArraySlice<UInt8>) throws(UnionPayError) -> String {
        guard let text = self == .utf8 ? Self.text(bytes) : GBK.decode(Array(bytes)) else {
            throw UnionPayError(code: .unencodableText, reason: "bytes are not \(rawValue) text")
        }
        return text
    }

    /// The text that has these bytes in UTF-8, if there is one. Where the library had to mend something, the bytes are others; that is
    /// several times as fast as its own validation.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var text = String(decoding: bytes, as: UTF8.self)
        let isSame = text.withUTF8 { found in
            bytes.withUnsafeBytes { given in
                guard let start = found.baseAddress, let other = given.baseAddress else { return found.count == given.count }
                return found.count == given.count && memcmp(start, other, given.count) == 0
            }
        }
        return isSame ? text : nil
    }
}
