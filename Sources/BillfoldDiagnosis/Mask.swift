/// What may be shown of a sensitive value.
public enum Mask {
    /// Shows at most the first six and last four digits of a card number (PCI DSS 3.4), and nothing of a number
    /// too short for eight digits to stay hidden.
    public static func cardNumber(_ number: String) -> String {
        let digits = Array(number)
        guard digits.count >= 14 else { return String(repeating: "•", count: digits.count) }
        return String(digits.prefix(6)) + String(repeating: "•", count: digits.count - 10) + String(digits.suffix(4))
    }

    /// Says only that a value was there, and how long it was.
    public static func opaque(_ value: String) -> String { "‹\(value.utf8.count) bytes›" }
}
