/// An exact amount of money: signed 64-bit minor units and their currency.
///
/// Nothing here rounds unless a ``Rounding`` is named, and nothing mixes currencies: what cannot be exact throws
/// ``MoneyError``. A currency without minor units ("N.A.") counts whole units.
public struct Amount: Sendable, Hashable {
    /// In the smallest unit of ``currency``: 3300 is 33.00 CNY, 33 is 33 JPY, and 33000 is 33.000 KWD.
    public let minorUnits: Int64
    public let currency: Currency

    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Nothing, in a currency: the start of a sum.
    public static func zero(_ currency: Currency) -> Self { Self(minorUnits: 0, currency: currency) }

    public var isZero: Bool { minorUnits == 0 }
    public var isNegative: Bool { minorUnits < 0 }
    public var isPositive: Bool { minorUnits > 0 }

    func requireSameCurrency(as other: Self) throws(MoneyError) {
        guard currency == other.currency else {
            throw MoneyError(code: .currencyMismatch, reason: "\(currency) and \(other.currency) cannot meet in one operation")
        }
    }

    static func fit(_ value: WideInteger?, _ currency: Currency) throws(MoneyError) -> Self {
        guard let value, let minorUnits = Int64(exactly: value) else {
            throw MoneyError(code: .overflow, reason: "the result does not fit 64-bit minor units of \(currency)")
        }
        return Self(minorUnits: minorUnits, currency: currency)
    }
}

extension Amount {
    /// Adds exactly. Throws `currency-mismatch`, or `overflow` beyond 64 bits.
    public static func + (lhs: Self, rhs: Self) throws(MoneyError) -> Self {
        try lhs.requireSameCurrency(as: rhs)
        return try fit(WideInteger(lhs.minorUnits) + WideInteger(rhs.minorUnits), lhs.currency)
    }

    /// Subtracts exactly; the result may be negative. Throws `currency-mismatch`, or `overflow` beyond 64 bits.
    public static func - (lhs: Self, rhs: Self) throws(MoneyError) -> Self {
        try lhs.requireSameCurrency(as: rhs)
        return try fit(WideInteger(lhs.minorUnits) - WideInteger(rhs.minorUnits), lhs.currency)
    }

    /// As `+`. The left side stays as it was where that throws.
    public static func += (lhs: inout Self, rhs: Self) throws(MoneyError) { lhs = try lhs + rhs }
    /// As `-`. The left side stays as it was where that throws.
    public static func -= (lhs: inout Self, rhs: Self) throws(MoneyError) { lhs = try lhs - rhs }

    /// The same amount with the other sign; the least 64-bit number has no counterpart and throws `overflow`.
    public func negated() throws(MoneyError) -> Self { try Self.fit(-WideInteger(minorUnits), currency) }

    /// The exact multiple, such as unit price times quantity.
    public static func * (lhs: Self, rhs: Int64) throws(MoneyError) -> Self {
        try fit(WideInteger(lhs.minorUnits) * WideInteger(rhs), lhs.currency)
    }

    /// Multiplies by a fraction and rounds once, to a whole minor unit.
    public func multiplied(by factor: Rational, rounding: Rounding) throws(MoneyError) -> Self {
        let product = WideInteger(minorUnits) * WideInteger(factor.numerator)
        return try Self.fit(rounding.divide(product, by: WideInteger(factor.denominator)), currency)
    }

    /// Takes that many hundredths of the amount and rounds once: `percentage("10", rounding: .halfUp)` is a tenth.
    public func percentage(_ percent: String, rounding: Rounding) throws(MoneyError) -> Self {
        try multiplied(by: Rational(percent: percent), rounding: rounding)
    }

    /// Adds amounts that are rounded already. The currency is named so that an empty list has a sum.
    ///
    /// An intermediate result may leave 64 bits as long as the sum itself fits.
    public static func sum(_ amounts: some Sequence<Amount>, currency: Currency) throws(MoneyError) -> Self {
        var total: WideInteger = 0
        let start = zero(currency)
        for amount in amounts {
            try start.requireSameCurrency(as: amount)
            total = total + WideInteger(amount.minorUnits)
        }
        return try fit(total, currency)
    }
}

extension Amount {
    // Comparisons throw across currencies, so the type is not `Comparable`: sorting needs one currency first.
    public static func < (lhs: Self, rhs: Self) throws(MoneyError) -> Bool {
        try lhs.requireSameCurrency(as: rhs)
        return lhs.minorUnits < rhs.minorUnits
    }

    /// Compares two amounts of one currency. Throws `currency-mismatch` for others.
    public static func <= (lhs: Self, rhs: Self) throws(MoneyError) -> Bool {
        try lhs.requireSameCurrency(as: rhs)
        return lhs.minorUnits <= rhs.minorUnits
    }

    /// Compares two amounts of one currency. Throws `currency-mismatch` for others.
    public static func > (lhs: Self, rhs: Self) throws(MoneyError) -> Bool { try rhs < lhs }
    /// Compares two amounts of one currency. Throws `currency-mismatch` for others.
    public static func >= (lhs: Self, rhs: Self) throws(MoneyError) -> Bool { try rhs <= lhs }
}
