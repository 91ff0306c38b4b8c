import BillfoldMoney

/// Adds decimal texts of any length of fraction exactly, so that a sum can be compared with what somebody wrote.
enum DecimalSum {
    /// The value in units of 10^-18, or nil when the text is no plain decimal number of that size.
    static func scaled(_ text: String) -> WideInteger? {
        guard let decimal = try? ExactDecimal(text) else { return nil }
        var value = WideInteger(decimal.significand)
        for _ in decimal.fractionDigits..<18 { value = value * 10 }
        return value
    }

    static func sum(_ texts: some Sequence<String>) -> WideInteger? {
        var total: WideInteger = 0
        for text in texts {
            guard let value = scaled(text) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(value)
            guard !overflow else { return nil }
            total = sum
        }
        return total
    }

    /// The value as plain decimal text without zeros at the end of its fraction.
    static func text(_ value: WideInteger) -> String {
        var digits = value.description
        if value < 0 { digits.removeFirst() }
        if digits.count <= 18 { digits = String(repeating: "0", count: 19 - digits.count) + digits }
        var fraction = String(digits.suffix(18))
        while fraction.last == "0" { fraction.removeLast() }
        return (value < 0 ? "-" : "") + digits.dropLast(18) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
