/// Plain decimal text, taken apart: an optional minus, digits, and a point with digits behind it.
///
/// Refused are a plus sign, an exponent, grouping, spaces, a bare point, leading zeros, minus zero, and every digit
/// that is not ASCII: one value has one spelling, up to zeros at the end of its fraction.
struct DecimalText {
    var isNegative: Bool
    var digits: [UInt8]
    var fractionCount: Int

    init(_ text: String) throws(MoneyError) {
        var bytes = Array(text.utf8)[...]
        isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes = bytes.dropFirst() }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard
            (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) })
        else {
            throw MoneyError(code: .malformedNumber, reason: "\(MoneyError.quoted(text)) is not a plain decimal number")
        }
        guard parts[0].count == 1 || parts[0].first != UInt8(ascii: "0") else {
            throw MoneyError(code: .malformedNumber, reason: "\(MoneyError.quoted(text)) has leading zeros")
        }
        digits = parts.flatMap { $0.map { $0 - UInt8(ascii: "0") } }
        fractionCount = parts.count == 2 ? parts[1].count : 0
        if isNegative, digits.allSatisfy({ $0 == 0 }) {
            throw MoneyError(code: .malformedNumber, reason: "\(MoneyError.quoted(text)) is minus zero")
        }
    }

    /// The digits as one integer after `padding` more zeros, with the sign applied first so that the least Int64 fits.
    func integer(padding: Int = 0) throws(MoneyError) -> Int64 {
        var value: Int64 = 0
        for digit in digits + Array(repeating: 0, count: padding) {
            let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let signed = isNegative ? -Int64(digit) : Int64(digit)
            let (sum, tooLargeToo) = scaled.addingReportingOverflow(signed)
            guard !tooLarge, !tooLargeToo else {
                throw MoneyError(code: .overflow, reason: "the number does not fit 64 bits")
            }
            value = sum
        }
        return value
    }

    /// Writes an integer with its last `fractionDigits` digits behind a point.
    static func write(_ value: Int64, fractionDigits: Int) -> String {
        var digits = String(value.magnitude)
        if fractionDigits > 0 {
            if digits.count <= fractionDigits {
                digits = String(repeating: "0", count: fractionDigits + 1 - digits.count) + digits
            }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -fractionDigits))
        }
        return value < 0 ? "-" + digits : digits
    }
}
