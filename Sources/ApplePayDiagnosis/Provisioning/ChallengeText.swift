import Foundation
import PaymentCrypto

/// One of a callback's two values as a text, and the mistakes that its bytes give away (provisioning.md#failures, rows 15 and 16).
struct ChallengeText {
    enum Mistake: Equatable {
        /// Hexadecimal digits were decoded as base64.
        case hexReadAsBase64
        /// The hexadecimal digits themselves were taken for the bytes.
        case hexTextAsBytes
        case base64TextAsBytes
        /// Binary went through text and came out as UTF-8; how many bytes were lost.
        case throughUTF8(lost: Int)
        case otherLength
        case undecodable
        /// A description of the bytes in place of them; since iOS 13 a long one is shortened, and what is left out is lost.
        case description(isShortened: Bool)
    }

    let bytes: [UInt8]?
    let mistake: Mistake?
    /// How many bytes the reader got.
    let count: Int

    /// - Parameter due: 4 for the nonce, 81 for its signature.
    init(_ text: String, encoding named: String?, due: Int) {
        if let described = Self.described(text) {
            bytes = described.isShortened ? nil : described.bytes
            mistake = .description(isShortened: described.isShortened)
            count = described.bytes.count
            return
        }
        let encoding = named.map { $0.lowercased().hasPrefix("hex") ? "hex" : $0.lowercased() }
        let isHex = !text.isEmpty && text.utf8.count.isMultiple(of: 2) && text.utf8.allSatisfy(Self.isDigit)
        if encoding == "base64", isHex, text.utf8.count == due * 2 {
            bytes = try? Hexadecimal.decode(text)
            mistake = .hexReadAsBase64
            count = (try? StrictBase64.decode(text))?.count ?? 0
            return
        }
        let asHex = encoding == "hex" || (encoding == nil && isHex)
        bytes = asHex ? try? Hexadecimal.decode(text) : try? StrictBase64.decode(text)
        mistake = bytes.map { Self.mistake(in: $0, due: due) } ?? .undecodable
        count = bytes?.count ?? 0
    }

    /// `<a1b2c3d4>` of before iOS 13, and `{length = 81, bytes = 0x40cb105e … 9c0d}` since.
    private static func described(_ text: String) -> (bytes: [UInt8], isShortened: Bool)? {
        let body: Substring
        if text.hasPrefix("<"), text.hasSuffix(">") {
            body = text.dropFirst().dropLast()
        } else if let match = text.wholeMatch(of: /\{\s*length = \d+, bytes = 0x([0-9a-fA-F .…]*)\}/) {
            body = match.1
        } else {
            return nil
        }
        let isShortened = body.contains("..") || body.contains("…")
        let digits = body.filter(\.isHexDigit)
        return (try? Hexadecimal.decode(digits)).map { ($0, isShortened) }
    }

    private static func mistake(in bytes: [UInt8], due: Int) -> Mistake? {
        if bytes.count == due { return nil }
        if bytes.count == due * 2, bytes.allSatisfy(isDigit) { return .hexTextAsBytes }
        if bytes.count == (due + 2) / 3 * 4, let text = String(utf8: bytes),
            (try? StrictBase64.decode(text))?.count == due
        {
            return .base64TextAsBytes
        }
        let again = Array(StrictBase64.encode(bytes).utf8)
        if again.count == due * 2, again.allSatisfy(isDigit) { return .hexReadAsBase64 }
        if bytes.count > due, let text = String(utf8: bytes) {
            let lost = text.unicodeScalars.count { $0 == "\u{FFFD}" }
            // A replacement stands for one byte or several, so what is left need not count as many letters.
            if lost > 0 { return .throughUTF8(lost: lost) }
            if text.unicodeScalars.count == due, text.unicodeScalars.allSatisfy({ $0.value < 256 }) { return .throughUTF8(lost: 0) }
        }
        return .otherLength
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
