#if canImport(Glibc)
    import Glibc
#else
    import Foundation
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
        switch name.uppercased() {
        case "UTF-8", "UTF8": self = .utf8
        case "GBK", "GB18030", "GB2312": self = .gbk
        default: return nil
        }
    }

    /// The text's bytes, or `unencodable-text`.
    public func encode(_ text: String) throws(UnionPayError) -> [UInt8] {
        switch self {
        case .utf8: return Array(text.utf8)
        case .gbk:
            let bytes = Array(text.utf8)
            if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
            return try Self.convert(bytes, from: "UTF-8", to: "GBK")
        }
    }

    /// The text of these bytes, or `unencodable-text`. Nothing is replaced or guessed.
    public func decode(_ bytes: [UInt8]) throws(UnionPayError) -> String {
        var utf8 = bytes
        if self == .gbk, !bytes.allSatisfy({ $0 < 0x80 }) { utf8 = try Self.convert(bytes, from: "GBK", to: "UTF-8") }
        guard let text = String(validating: utf8, as: UTF8.self) else {
            throw UnionPayError(code: .unencodableText, reason: "bytes are not \(rawValue) text")
        }
        return text
    }

    #if canImport(Glibc)
        private static func convert(_ bytes: [UInt8], from source: String, to target: String) throws(UnionPayError) -> [UInt8] {
            let failure = UnionPayError(code: .unencodableText, reason: "text cannot be carried from \(source) to \(target)")
            guard let converter = iconv_open(target, source), Int(bitPattern: converter) != -1 else { throw failure }
            defer { iconv_close(converter) }
            var input = bytes.map { CChar(bitPattern: $0) }
            // Neither direction grows by more than a half: two GBK bytes become three UTF-8 bytes.
            var output = [CChar](repeating: 0, count: bytes.count * 2 + 4)
            let capacity = output.count
            let written: Int? = input.withUnsafeMutableBufferPointer { source in
                output.withUnsafeMutableBufferPointer { target in
                    var sourcePointer = source.baseAddress
                    var targetPointer = target.baseAddress
                    var sourceLeft = bytes.count
                    var targetLeft = capacity
                    let result = iconv(converter, &sourcePointer, &sourceLeft, &targetPointer, &targetLeft)
                    // A positive result counts characters that were replaced: not a faithful conversion.
                    return result == 0 && sourceLeft == 0 ? capacity - targetLeft : nil
                }
            }
            guard let written else { throw failure }
            return output[..<written].map { UInt8(bitPattern: $0) }
        }
    #else
        private static func convert(_ bytes: [UInt8], from source: String, to target: String) throws(UnionPayError) -> [UInt8] {
            let gbk = String.Encoding(
                rawValue: CFStringConvertEncodingToNSStringEncoding(CFStringEncoding(CFStringEncodings.GB_18030_2000.rawValue)))
            let text = String(bytes: bytes, encoding: source == "GBK" ? gbk : .utf8)
            guard let data = text?.data(using: target == "GBK" ? gbk : .utf8) else {
                throw UnionPayError(code: .unencodableText, reason: "text cannot be carried from \(source) to \(target)")
            }
            return Array(data)
        }
    #endif
}
