/// Plain decimal text, taken apart: an optional minus, digits, and a point with digits behind it.
///
/// Refused are a plus sign, an exponent, grouping, spaces, a bare point, leading zeros, minus zero, and every digit
/// that is not ASCII: one value has one spelling, up to zeros at the end of its fraction.
struct DecimalText {
    let isNegative: Bool
    /// Digits, with the point among them.
    private let unsigned: Substring.UTF8View
    let fractionCount: Int

    init(_ text: String) throws(MoneyError) {
        isNegative = text.utf8.first == UInt8(ascii: "-")
        unsigned = text.utf8.dropFirst(isNegative ? 1 : 0)
        var (digits, point, nonzero) = (0, nil as Int?, false)
        for byte in unsigned {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                nonzero = nonzero || byte != UInt8(ascii: "0")
            case UInt8(ascii: ".") where point == nil: point = digits
            default: throw Self.malformed(text, "is not a plain decimal number")
            }
        }
        let whole = point ?? digits
        fractionCount = digits - whole
        guard whole > 0, point == nil || fractionCount > 0 else { throw Self.malformed(text, "is not a plain decimal number") }
        guard whole == 1 || unsigned.first != UInt8(ascii: "0") else { throw Self.malformed(text, "has leading zeros") }
        guard nonzero || !isNegative else { throw Self.malformed(text, "is minus zero") }
    }

    private static func malformed(_ text: String, _ problem: String) -> MoneyError {
        MoneyError(code: .malformedNumber, reason: "\(MoneyError.quoted(text)) \(problem)")
    }

    /// The digits as one integer after `padding` more zeros, with the sign applied first so that the least Int64 fits.
    func integer(padding: Int = 0) throws(MoneyError) -> Int64 {
        var value: Int64 = 0
        func append(_ digit: UInt8) throws(MoneyError) {
            let (scaled, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLargeToo) = scaled.addingReportingOverflow(isNegative ? -Int64(digit) : Int64(digit))
            guard !tooLarge, !tooLargeToo else {
                throw MoneyError(code: .overflow, reason: "the number does not fit 64 bits")
            }
            value = sum
        }
        for byte in unsigned where byte != UInt8(ascii: ".") { try append(byte - UInt8(ascii: "0")) }
        for _ in 0..<padding { try append(0) }
        return value
    }

    /// Writes an integer with its last `fractionDigits` digits behind a point.
    static func write(_ value: Int64, fractionDigits: Int) -> String {
        var digits = String(value.magnitude)
        if fractionDigits > 0 {
            let missing = fractionDigits + 1 - digits.utf8.count
            if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
            digits.insert(".", at: digits.utf8.index(digits.endIndex, offsetBy: -fractionDigits))
        }
        return value < 0 ? "-" + digits : digits
    }
}
