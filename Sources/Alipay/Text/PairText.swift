/// What a text may hold that is signed inside `name=value&name=value`, where nothing is encoded (alipay.md#signed-text [V]).
///
/// Whoever gets the signed text can cut it at every `&name=`: a value that holds one lets its author have other parameters signed than
/// the gateway wrote. All of it goes by bytes, for to Swift a `&` with a combining mark behind it is another character.
public enum PairText {
    /// Whether a value reads as itself and further pairs: a `&` with a `=` somewhere behind it.
    public static func readsAsPairs(_ value: some Sequence<UInt8>) -> Bool {
        var hasBegun = false
        for byte in value {
            if byte == UInt8(ascii: "&") { hasBegun = true }
            if byte == UInt8(ascii: "="), hasBegun { return true }
        }
        return false
    }

    /// Why a text cannot be a number that a merchant chooses and that comes back signed, such as `out_request_no`: it holds `&`, `=`, or a
    /// control character, which would also break the line of a file that shows it. Nil where it can.
    ///
    /// Names the character, for people; `holds the character U+000A`.
    public static func offence(in number: String) -> String? {
        for scalar in number.unicodeScalars where isForbidden(scalar) {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            return "holds \(scalar.value > 0x20 && scalar.value < 0x7F ? String(scalar) : "the character \(name)")"
        }
        return nil
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "&" || scalar == "=" { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
