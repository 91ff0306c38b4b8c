/// A signed integer of 128 bits, for what two numbers of 64 bits can make. It stands in for `Int128`, which needs iOS 18.
///
/// As there, an operation whose result does not fit ends the process unless it reports its overflow.
package struct WideInteger: Sendable, Hashable {
    /// In two's complement: the value is `high` times 2^64, plus `low`.
    package let high: Int64
    package let low: UInt64

    package init(high: Int64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(_ value: Int64) { self.init(high: value < 0 ? -1 : 0, low: UInt64(bitPattern: value)) }

    /// Without the sign; of the least value too.
    private var words: UnsignedWords {
        guard high < 0 else { return UnsignedWords(high: UInt64(high), low: low) }
        let opposite = ~low &+ 1
        return UnsignedWords(high: ~UInt64(bitPattern: high) &+ (opposite == 0 ? 1 : 0), low: opposite)
    }

    /// Takes what lies beyond 128 bits off.
    private init(_ words: UnsignedWords, isNegative: Bool) {
        let low = isNegative ? ~words.low &+ 1 : words.low
        let high = isNegative ? ~words.high &+ (low == 0 ? 1 : 0) : words.high
        self.init(high: Int64(bitPattern: high), low: low)
    }

    /// Without the sign. The least value has no such number.
    package var magnitude: Self { self < 0 ? -self : self }
}

extension WideInteger: Comparable {
    package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }
}

extension WideInteger: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(value) }
}

extension WideInteger {
    package func addingReportingOverflow(_ other: Self) -> (partialValue: Self, overflow: Bool) {
        let (low, carry) = self.low.addingReportingOverflow(other.low)
        let high = self.high &+ other.high &+ (carry ? 1 : 0)
        // Two numbers of one sign have a sum of that sign.
        let overflow = (self.high < 0) == (other.high < 0) && (high < 0) != (self.high < 0)
        return (Self(high: high, low: low), overflow)
    }

    package func subtractingReportingOverflow(_ other: Self) -> (partialValue: Self, overflow: Bool) {
        let (low, borrow) = self.low.subtractingReportingOverflow(other.low)
        let high = self.high &- other.high &- (borrow ? 1 : 0)
        // Two numbers of different signs have a difference of the first one's sign.
        let overflow = (self.high < 0) != (other.high < 0) && (high < 0) != (self.high < 0)
        return (Self(high: high, low: low), overflow)
    }

    package func multipliedReportingOverflow(by other: Self) -> (partialValue: Self, overflow: Bool) {
        let (a, b) = (words, other.words)
        let lower = a.low.multipliedFullWidth(by: b.low)
        let (first, isFirstLost) = a.high.multipliedReportingOverflow(by: b.low)
        let (second, isSecondLost) = a.low.multipliedReportingOverflow(by: b.high)
        let (both, isSumLost) = first.addingReportingOverflow(second)
        let (high, isCarryLost) = lower.high.addingReportingOverflow(both)
        let isLost = isFirstLost || isSecondLost || isSumLost || isCarryLost || (a.high != 0 && b.high != 0)

        let isNegative = (self.high < 0) != (other.high < 0)
        let product = UnsignedWords(high: high, low: lower.low)
        let most = UnsignedWords(high: 1 << 63, low: 0)
        return (Self(product, isNegative: isNegative), isLost || (isNegative ? product > most : product >= most))
    }

    /// Rounds towards zero; the remainder has the sign of this number.
    package func quotientAndRemainder(dividingBy divisor: Self) -> (quotient: Self, remainder: Self) {
        precondition(divisor != 0, "a division by zero")
        precondition(divisor != -1 || self != Self(high: .min, low: 0), "a quotient beyond 128 bits")
        let (quotient, remainder) = words.quotientAndRemainder(dividingBy: divisor.words)
        return (Self(quotient, isNegative: (high < 0) != (divisor.high < 0)), Self(remainder, isNegative: high < 0))
    }

    package static func + (lhs: Self, rhs: Self) -> Self {
        let (sum, overflow) = lhs.addingReportingOverflow(rhs)
        precondition(!overflow, "a sum beyond 128 bits")
        return sum
    }

    package static func - (lhs: Self, rhs: Self) -> Self {
        let (difference, overflow) = lhs.subtractingReportingOverflow(rhs)
        precondition(!overflow, "a difference beyond 128 bits")
        return difference
    }

    package static func * (lhs: Self, rhs: Self) -> Self {
        let (product, overflow) = lhs.multipliedReportingOverflow(by: rhs)
        precondition(!overflow, "a product beyond 128 bits")
        return product
    }

    package static func / (lhs: Self, rhs: Self) -> Self { lhs.quotientAndRemainder(dividingBy: rhs).quotient }
    package static func % (lhs: Self, rhs: Self) -> Self { lhs.quotientAndRemainder(dividingBy: rhs).remainder }
    package static prefix func - (value: Self) -> Self { 0 - value }
}

extension WideInteger: CustomStringConvertible {
    /// In decimal digits.
    package var description: String {
        // The largest power of ten in 64 bits. What it divides 2^127 into fits them too.
        let (upper, lower) = words.quotientAndRemainder(dividingBy: UnsignedWords(high: 0, low: 10_000_000_000_000_000_000))
        var digits = String(lower.low)
        if upper.low > 0 { digits = String(upper.low) + String(repeating: "0", count: 19 - digits.utf8.count) + digits }
        return high < 0 ? "-" + digits : digits
    }
}

extension Int64 {
    /// Nil for a number that does not fit.
    package init?(exactly value: WideInteger) {
        self.init(bitPattern: value.low)
        guard WideInteger(self) == value else { return nil }
    }
}

/// An unsigned integer of 128 bits.
private struct UnsignedWords: Comparable {
    var high: UInt64
    var low: UInt64

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }

    /// `divisor` is not zero.
    func quotientAndRemainder(dividingBy divisor: Self) -> (quotient: Self, remainder: Self) {
        guard divisor.high > 0 else {
            let (upper, rest) = high.quotientAndRemainder(dividingBy: divisor.low)
            let (lower, remainder) = divisor.low.dividingFullWidth((rest, low))
            return (Self(high: upper, low: lower), Self(high: 0, low: remainder))
        }
        let shift = divisor.high.leadingZeroBitCount - high.leadingZeroBitCount
        guard shift >= 0 else { return (Self(high: 0, low: 0), self) }
        // The divisor is taken off bit by bit, from where both begin with the same bit.
        var quotient: UInt64 = 0
        var rest = self
        var part = Self(high: divisor.high << shift | divisor.low >> (64 - shift), low: divisor.low << shift)
        for _ in 0...shift {
            quotient <<= 1
            if rest >= part {
                let (low, borrow) = rest.low.subtractingReportingOverflow(part.low)
                rest = Self(high: rest.high - part.high - (borrow ? 1 : 0), low: low)
                quotient |= 1
            }
            part = Self(high: part.high >> 1, low: part.high << 63 | part.low >> 1)
        }
        return (Self(high: 0, low: quotient), rest)
    }
}
