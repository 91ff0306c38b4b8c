import PaymentCrypto

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
    public func decode(_ bytes: [UInt8]) throws(UnionPayError) -> String {
        guard let text = self == .utf8 ? String(validating: bytes, as: UTF8.self) : GBK.decode(bytes) else {
            throw UnionPayError(code: .unencodableText, reason: "bytes are not \(rawValue) text")
        }
        return text
    }
}
