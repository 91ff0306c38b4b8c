import Foundation
import PaymentCrypto

/// Bytes that a JSON member carries as text: base64, or hexadecimal where a host writes everything so
/// (provisioning.md#sequence, step 5).
enum CarriedBytes {
    /// From here on, digits alone are no base64 by accident: of 32 letters of base64 one text in 2^49 has none but digits.
    private static let certainCount = 32

    /// Whether the text can only be hexadecimal.
    static func isHexadecimal(_ text: String) -> Bool { text.utf8.count >= certainCount && (try? Hexadecimal.decode(text)) != nil }

    static func decode(_ text: String) -> [UInt8]? {
        if isHexadecimal(text) { return try? Hexadecimal.decode(text) }
        return (try? StrictBase64.decode(text)) ?? (try? Hexadecimal.decode(text))
    }

    /// Bytes that a text carries once what happened to it on its way is undone.
    struct Repaired {
        let bytes: [UInt8]
        /// What had happened, in words.
        let damage: String
    }

    /// Undoes what forms, lines and other alphabets do to base64; nil where that gives no base64.
    static func repaired(_ text: String) -> Repaired? {
        var (text, damage) = (text, [String]())
        func undo(_ words: String, _ other: String) {
            guard other != text else { return }
            (text, damage) = (other, damage + [words])
        }
        if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") { undo("a data URL round it", String(text[comma...].dropFirst())) }
        if text.contains("%") { undo("percent-encoded", text.removingPercentEncoding ?? text) }
        undo("broken into lines", text.filter { !$0.isNewline }.replacing("\\n", with: "").replacing("\\r", with: ""))
        undo("blanks stand where + was: form encoding", text.replacing(" ", with: "+"))
        undo("URL-safe alphabet", text.replacing("-", with: "+").replacing("_", with: "/"))
        let rest = text.utf8.count % 4
        if rest > 1, !text.hasSuffix("=") { undo("padding lost", text + String(repeating: "=", count: 4 - rest)) }
        guard !damage.isEmpty, let bytes = try? StrictBase64.decode(text), !bytes.isEmpty else { return nil }
        return Repaired(bytes: bytes, damage: damage.joined(separator: "; "))
    }

    /// The certificates of one text: DER in base64 or hexadecimal, or PEM with as many as it holds. Nil for none.
    static func certificates(_ text: String) -> [[UInt8]]? {
        if let der = decode(text) { return [der] }
        let blocks = (try? PEMText(text))?.blocks.filter { $0.label == "CERTIFICATE" } ?? []
        return blocks.isEmpty ? nil : blocks.map(\.bytes)
    }
}
