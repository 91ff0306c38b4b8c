public import AlipayPlusValues
public import BillfoldMoney

/// An amount as messages carry it: currency letters and whole smallest units as text, as they came. ``amount()`` says what it is worth.
public struct WireAmount: WireMessage {
    /// Three capital letters.
    public var currency: String
    /// Whole smallest units, at most 16 digits [O]: `1999` is 19.99 USD and `1000` is 1000 JPY.
    public var value: String

    public init(currency: String, value: String) {
        self.currency = currency
        self.value = value
    }

    public init(_ amount: Amount) {
        currency = amount.currency.alphabeticCode
        value = amount.minorUnitText
    }

    private enum CodingKeys: String, CodingKey { case currency, value }

    /// A client that drops zeros sends no value for "not known yet" [O].
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        currency = try container.decode(String.self, forKey: .currency)
        value = try container.decodeIfPresent(String.self, forKey: .value) ?? "0"
    }

    /// The most digits of a value [O].
    public static let maximumDigits = 16

    /// `unknown-currency`; `malformed-amount` for a sign, a point, an exponent or too many digits; `amount-rule` for rupiah that do not end
    /// in 00. Zeros in front say nothing, as in the vendor's own utility (alipay-plus.md#amounts) [O].
    public func amount() throws(AlipayPlusError) -> Amount {
        let currency = try WireCurrency(currency)
        guard !value.isEmpty, value.utf8.count <= Self.maximumDigits, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let units = Int64(value)
        else { throw AlipayPlusError(code: .malformedAmount, reason: malformed(currency.currency)) }
        return try currency.amount(minorUnits: units)
    }

    /// Says what a value with a point would have been meant to be.
    private func malformed(_ currency: Currency) -> String {
        let letters = currency.alphabeticCode
        guard value.utf8.contains(UInt8(ascii: ".")) else {
            return "an amount is not 1 to \(Self.maximumDigits) digits of \(letters)'s smallest unit"
        }
        let rule = "an amount counts \(letters)'s smallest unit, and a decimal point has no place in it"
        guard value.utf8.count <= Self.maximumDigits + 1, let meant = try? WireAmount(major: value, currency: letters) else { return rule }
        return "\(rule): \(value) \(letters) is \(meant.value)"
    }

    /// Reads major units, as people and merchants write them: `19.99` USD, and `990.0` JPY, whose zero is no precision
    /// (alipay-plus.md#amounts) [O]. `unknown-currency`, `malformed-amount`, `excess-precision`, `amount-rule`.
    public init(major: String, currency: String) throws(AlipayPlusError) {
        let rules = try WireCurrency(currency)
        let amount: Amount
        do throws(MoneyError) {
            amount = try Amount(Self.withoutIdleZeros(major, digits: rules.currency.minorUnits ?? 0), currency: rules.currency)
        } catch {
            throw AlipayPlusError(code: error.code == .tooManyDigits ? .excessPrecision : .malformedAmount, reason: error.reason)
        }
        guard !amount.isNegative, amount.minorUnitText.utf8.count <= Self.maximumDigits else {
            throw AlipayPlusError(code: .malformedAmount, reason: "an amount is negative or too large")
        }
        self.init(try rules.amount(minorUnits: amount.minorUnits))
    }

    /// Takes zeros from the end of a fraction that has more than `digits` places, and its point with the last of them.
    private static func withoutIdleZeros(_ major: String, digits: Int) -> String {
        let parts = major.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].utf8.count > digits else { return major }
        let rest = parts[1].utf8.reversed().drop { $0 == UInt8(ascii: "0") }.count
        let kept = max(digits, rest)
        return kept == 0 ? String(parts[0]) : String(major.dropLast(parts[1].utf8.count - kept))
    }
}

/// What Alipay+ knows of a currency: that of ISO 4217, and rules of its own.
public struct WireCurrency: Sendable, Hashable {
    public let currency: Currency

    /// `unknown-currency` for anything but the three capital letters of a currency with units to count.
    public init(_ letters: String) throws(AlipayPlusError) {
        guard let currency = try? Currency(letters), currency.alphabeticCode == letters, currency.minorUnits != nil else {
            throw AlipayPlusError(code: .unknownCurrency, reason: "\(AlipayPlusError.quoted(letters)) is no currency")
        }
        self.currency = currency
    }

    public init(_ currency: Currency) { self.currency = currency }

    /// Values must be multiples of this: 100 for rupiah, whose two digits exist on paper only, else 1.
    public var multiple: Int64 { currency == .idr ? 100 : 1 }

    /// `amount-rule` for a value that is no multiple of ``multiple``.
    public func amount(minorUnits: Int64) throws(AlipayPlusError) -> Amount {
        guard minorUnits.isMultiple(of: multiple) else {
            throw AlipayPlusError(code: .amountRule, reason: "a value in \(currency) is not a multiple of \(multiple)")
        }
        return Amount(minorUnits: minorUnits, currency: currency)
    }
}
