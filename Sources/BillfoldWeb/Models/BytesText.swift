import Foundation

/// Bytes as a reader can take them in: as text where they are text, as a hexadecimal listing where they are not.
struct BytesText: Sendable {
    /// Longer content is cut here; ``size`` says how much there is.
    static let longest = 16_384

    let text: String
    /// For example `214 bytes`.
    let size: String
    /// Whether ``text`` is a listing, whose columns must not wrap.
    let isListing: Bool

    init(base64: String) {
        guard let data = Data(base64Encoded: base64) else {
            text = base64
            size = "not base64"
            isListing = false
            return
        }
        let bytes = Array(data)
        size = bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
        let shown = Array(bytes.prefix(Self.longest))
        let ending = shown.count < bytes.count ? "\n… \(bytes.count - shown.count) bytes more" : ""
        let readable = Self.readable(shown)
        isListing = readable == nil
        text = (readable ?? Self.listing(shown)) + ending
    }

    private static func readable(_ bytes: [UInt8]) -> String? {
        // Up to three bytes of a character may have been cut off at the end.
        for cut in 0...min(3, bytes.count) {
            guard let text = String(validating: bytes.dropLast(cut), as: UTF8.self) else { continue }
            let isPrintable = text.unicodeScalars.allSatisfy {
                $0 == "\n" || $0 == "\r" || $0 == "\t" || $0.properties.generalCategory != .control
            }
            return isPrintable ? text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") : nil
        }
        return nil
    }

    /// Offset, sixteen bytes, and their ASCII form.
    private static func listing(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let row = bytes[start..<min(start + 16, bytes.count)]
            let hex = row.map { hexadecimal(Int($0), width: 2) }.joined(separator: " ")
            let ascii = row.map { (0x20...0x7e).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
            return hexadecimal(start, width: 6) + "  " + hex + String(repeating: " ", count: 3 * (16 - row.count)) + "  " + ascii
        }.joined(separator: "\n")
    }

    private static func hexadecimal(_ value: Int, width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
