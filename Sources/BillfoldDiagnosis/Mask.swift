/// What may be shown of a sensitive value.
///
/// A mask keeps just enough for a person to recognise a value that they already know. Where that much is not needed,
/// use ``opaque(_:)``; where a value must not be shown at all, keep it in a ``Secret``.
public enum Mask {
    static let dots = "•••"

    /// Shows at most the first six and last four digits of a card number (PCI DSS 3.4), and nothing of a number
    /// too short for eight digits to stay hidden.
    public static func cardNumber(_ number: String) -> String {
        let count = number.count
        guard count >= 14 else { return String(repeating: "•", count: count) }
        return number.prefix(6) + String(repeating: "•", count: count - 10) + number.suffix(4)
    }

    /// Shows the first character of the local part, and the domain: `a•••@example.com`.
    ///
    /// The number of dots says nothing about the length. Text without exactly one `@` between two parts is shown opaquely.
    public static func email(_ address: String) -> String {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, !parts[1].isEmpty else { return opaque(address) }
        return "\(first)\(dots)@\(parts[1])"
    }

    /// Shows the last two digits of a telephone number: `•••34`. Fewer than seven digits are shown opaquely.
    public static func phone(_ number: String) -> String {
        let digits = number.filter(\.isNumber)
        guard digits.count >= 7 else { return opaque(number) }
        return dots + digits.suffix(2)
    }

    /// Shows the first character of each word of a person's name: `A••• E•••`, `张•••`.
    public static func name(_ name: String) -> String {
        name.split(whereSeparator: \.isWhitespace).map { "\($0.prefix(1))\(dots)" }.joined(separator: " ")
    }

    /// Says only that base64 was there, and how many bytes it carries.
    public static func base64(_ text: String) -> String {
        let symbols = text.utf8.filter { $0 != UInt8(ascii: "=") && !isSpace($0) }.count
        return "‹base64, \(symbols * 3 / 4) bytes›"
    }

    /// Says only that hexadecimal text was there, and how many bytes it carries.
    public static func hexadecimal(_ text: String) -> String {
        "‹hex, \(text.utf8.filter { !isSpace($0) }.count / 2) bytes›"
    }

    /// Says only that a value was there, and how long it was.
    public static func opaque(_ value: String) -> String { "‹\(value.utf8.count) bytes›" }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
