/// A quoted exchange rate: one major unit of `base` costs `rate` major units of `quote`.
///
/// Who quoted it is part of the value, because two parties that convert the same amount by different sources will not
/// agree. When it was quoted and how long it holds belong to the protocol that carried it.
public struct ExchangeRate: Sendable, Hashable, Codable {
    public let base: Currency
    public let quote: Currency
    /// Greater than zero, with the digits it was quoted with.
    public let rate: ExactDecimal
    /// Names the quoting party and its quote, for example `unionpay` or a quote id.
    public let source: String

    /// Refuses a rate of zero or less, and a currency against itself at anything but 1, with `invalid-ratio`.
    public init(base: Currency, quote: Currency, rate: ExactDecimal, source: String) throws(MoneyError) {
        guard rate.significand > 0 else { throw MoneyError(code: .invalidRatio, reason: "a rate must be greater than zero") }
        guard base != quote || Rational.isOne(rate) else {
            throw MoneyError(code: .invalidRatio, reason: "\(base) against itself has the rate 1, not \(rate)")
        }
        self.base = base
        self.quote = quote
        self.rate = rate
        self.source = source
    }

    /// Converts an amount of `base` into `quote`, rounded once.
    public func convert(_ amount: Amount, rounding: Rounding) throws(MoneyError) -> Amount {
        try amount.requireSameCurrency(as: .zero(base))
        return try Self.scaled(
            amount, into: quote,
            by: WideInteger(rate.significand) * WideInteger(quote.scale),
            over: WideInteger(Currency.power(ofTen: rate.fractionDigits)) * WideInteger(base.scale), rounding)
    }

    /// Converts an amount of `quote` back into `base`, rounded once: how much `base` costs that much `quote`.
    public func convertBack(_ amount: Amount, rounding: Rounding) throws(MoneyError) -> Amount {
        try amount.requireSameCurrency(as: .zero(quote))
        return try Self.scaled(
            amount, into: base,
            by: WideInteger(Currency.power(ofTen: rate.fractionDigits)) * WideInteger(base.scale),
            over: WideInteger(rate.significand) * WideInteger(quote.scale), rounding)
    }

    private static func scaled(
        _ amount: Amount, into currency: Currency, by factor: WideInteger, over divisor: WideInteger, _ rounding: Rounding
    ) throws(MoneyError) -> Amount {
        var (factor, divisor) = (factor, divisor)
        if WideInteger(amount.minorUnits).multipliedReportingOverflow(by: factor).overflow {
            // In lowest terms it may fit.
            var (a, b) = (factor, divisor)
            while b != 0 { (a, b) = (b, a % b) }
            (factor, divisor) = (factor / a, divisor / a)
        }
        let (product, overflow) = WideInteger(amount.minorUnits).multipliedReportingOverflow(by: factor)
        return try Amount.fit(overflow ? nil : rounding.divide(product, by: divisor), currency)
    }

    private enum CodingKeys: String, CodingKey { case base, quote, rate, source }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let base = try container.decode(Currency.self, forKey: .base)
        let quote = try container.decode(Currency.self, forKey: .quote)
        let rate = try container.decode(ExactDecimal.self, forKey: .rate)
        let source = try container.decode(String.self, forKey: .source)
        do {
            try self.init(base: base, quote: quote, rate: rate, source: source)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath + [CodingKeys.rate], debugDescription: "\(error)", underlyingError: error))
        }
    }
}

extension Rational {
    fileprivate static func isOne(_ decimal: ExactDecimal) -> Bool {
        decimal.significand == Currency.power(ofTen: decimal.fractionDigits)
    }
}
