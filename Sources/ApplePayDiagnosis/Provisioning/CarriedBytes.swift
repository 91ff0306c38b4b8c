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

    /// The certificates of one text: DER in base64 or hexadecimal, or PEM with as many as it holds. Nil for none.
    static func certificates(_ text: String) -> [[UInt8]]? {
        if let der = decode(text) { return [der] }
        let blocks = (try? PEMText(text))?.blocks.filter { $0.label == "CERTIFICATE" } ?? []
        return blocks.isEmpty ? nil : blocks.map(\.bytes)
    }
}
