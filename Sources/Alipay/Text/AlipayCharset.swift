import PaymentCrypto

/// The charsets that messages name in `_input_charset` and `charset`.
public enum AlipayCharset: String, Sendable, Hashable, Codable, CaseIterable {
    case utf8 = "utf-8"
    /// Also what `gb2312` means, of which it is a superset [I].
    case gbk = "gbk"

    /// Reads a name in any letter case.
    public init?(name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "gbk", "gb2312": self = .gbk
        default: return nil
        }
    }

    /// The text's bytes, or `unencodable-text`. Nothing is replaced.
    public func encode(_ text: String) throws(AlipayError) -> [UInt8] {
        guard let bytes = self == .utf8 ? Array(text.utf8) : GBK.encode(text) else {
            throw AlipayError(code: .unencodableText, reason: "text cannot be carried in \(rawValue)")
        }
        return bytes
    }

    /// The text of these bytes, or `unencodable-text`. Nothing is guessed.
    public func decode(_ bytes: some Collection<UInt8>) throws(AlipayError) -> String {
        guard let text = self == .utf8 ? String(utf8: bytes) : GBK.decode(Array(bytes)) else {
            throw AlipayError(code: .unencodableText, reason: "bytes are not \(rawValue) text")
        }
        return text
    }

    /// The text for people's eyes, with what is no text in this charset replaced. Never what is signed or stored.
    public func display(_ bytes: some Collection<UInt8>) -> String {
        if let text = try? decode(bytes) { return text }
        return String(decoding: self == .utf8 ? Array(bytes) : bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
