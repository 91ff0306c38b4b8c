/// An exact fraction: a tax rate, a discount, a share.
///
/// Kept in lowest terms with a denominator greater than zero, so that equal values are equal.
public struct Rational: Sendable, Hashable, CustomStringConvertible {
    public let numerator: Int64
    public let denominator: Int64

    public static let zero = Rational(whole: 0)
    public static let one = Rational(whole: 1)

    public init(whole: Int64) {
        numerator = whole
        denominator = 1
    }

    /// Refuses a zero denominator with `invalid-ratio`.
    public init(_ numerator: Int64, _ denominator: Int64) throws(MoneyError) {
        guard denominator != 0 else { throw MoneyError(code: .invalidRatio, reason: "a fraction cannot have a zero denominator") }
        try self.init(wide: WideInteger(numerator), WideInteger(denominator))
    }

    /// Reads plain decimal text exactly: `0.13` is thirteen hundredths.
    public init(decimal text: String) throws(MoneyError) {
        try self.init(ExactDecimal(text))
    }

    public init(_ decimal: ExactDecimal) throws(MoneyError) {
        try self.init(wide: WideInteger(decimal.significand), WideInteger(Currency.power(ofTen: decimal.fractionDigits)))
    }

    /// Reads a percentage: `percent: "12.5"` is one eighth.
    public init(percent text: String) throws(MoneyError) {
        let decimal = try ExactDecimal(text)
        try self.init(wide: WideInteger(decimal.significand), WideInteger(Currency.power(ofTen: decimal.fractionDigits)) * 100)
    }

    private init(wide numerator: WideInteger, _ denominator: WideInteger) throws(MoneyError) {
        var (a, b) = (numerator.magnitude, denominator.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        let shared: WideInteger = a == 0 ? 1 : a
        let divisor = denominator < 0 ? -shared : shared
        guard let top = Int64(exactly: numerator / divisor), let bottom = Int64(exactly: denominator / divisor) else {
            throw MoneyError(code: .overflow, reason: "the fraction does not fit 64 bits")
        }
        self.numerator = top
        self.denominator = bottom
    }

    public var isNegative: Bool { numerator < 0 }
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

    /// Adds exactly, in lowest terms. Throws `overflow` where those do not fit 64 bits.
    public static func + (lhs: Self, rhs: Self) throws(MoneyError) -> Self {
        // Each product stays under 2^126, so the sum stays inside 128 bits.
        try Self(
            wide: WideInteger(lhs.numerator) * WideInteger(rhs.denominator) + WideInteger(rhs.numerator) * WideInteger(lhs.denominator),
            WideInteger(lhs.denominator) * WideInteger(rhs.denominator))
    }

    /// Multiplies exactly, in lowest terms. Throws `overflow` where those do not fit 64 bits.
    public static func * (lhs: Self, rhs: Self) throws(MoneyError) -> Self {
        try Self(
            wide: WideInteger(lhs.numerator) * WideInteger(rhs.numerator), WideInteger(lhs.denominator) * WideInteger(rhs.denominator))
    }
}

extension Rational: Comparable {
    public static func < (lhs: Self, rhs: Self) -> Bool {
        WideInteger(lhs.numerator) * WideInteger(rhs.denominator) < WideInteger(rhs.numerator) * WideInteger(lhs.denominator)
    }
}
