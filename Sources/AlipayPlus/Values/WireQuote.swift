public import AlipayPlusValues
public import BillfoldMoney

/// An exchange quote: the price turns MAJOR units of the pair's first currency into the second.
public struct WireQuote: WireMessage {
    public var quoteId: String?
    /// `USD/KRW`, or numeric codes `392/156` [O].
    public var quoteCurrencyPair: String
    /// A decimal as text.
    public var quotePrice: String
    public var quoteStartTime: AlipayPlusTime?
    public var quoteExpiryTime: AlipayPlusTime?
    public var baseCurrency: String?
    /// So many units of the base are priced; 1 when absent [I].
    public var quoteUnit: String?
    public var guaranteed: Bool?

    public init(
        quoteId: String? = nil, quoteCurrencyPair: String, quotePrice: String, quoteStartTime: AlipayPlusTime? = nil,
        quoteExpiryTime: AlipayPlusTime? = nil, baseCurrency: String? = nil, quoteUnit: String? = nil, guaranteed: Bool? = nil
    ) {
        self.quoteId = quoteId
        self.quoteCurrencyPair = quoteCurrencyPair
        self.quotePrice = quotePrice
        self.quoteStartTime = quoteStartTime
        self.quoteExpiryTime = quoteExpiryTime
        self.baseCurrency = baseCurrency
        self.quoteUnit = quoteUnit
        self.guaranteed = guaranteed
    }

    /// Writes a rate as a quote, with the pair in letters.
    public init(_ rate: ExchangeRate, quoteId: String?, from start: AlipayPlusTime? = nil, until end: AlipayPlusTime? = nil) {
        self.init(
            quoteId: quoteId, quoteCurrencyPair: "\(rate.base)/\(rate.quote)", quotePrice: rate.rate.description, quoteStartTime: start,
            quoteExpiryTime: end)
    }

    /// The rate that the quote states; its source is the quote's id. `malformed-quote`, `unknown-currency`.
    public func rate() throws(AlipayPlusError) -> ExchangeRate {
        let parts = quoteCurrencyPair.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, quoteUnit == nil || quoteUnit == "1" else {
            throw AlipayPlusError(code: .malformedQuote, reason: "a quote does not price one unit of a pair of currencies")
        }
        let (base, quote) = (try Self.currency(parts[0]), try Self.currency(parts[1]))
        do throws(MoneyError) {
            return try ExchangeRate(base: base, quote: quote, rate: ExactDecimal(quotePrice), source: quoteId ?? "alipay-plus")
        } catch {
            throw AlipayPlusError(code: .malformedQuote, reason: "quotePrice: \(error.reason)")
        }
    }

    private static func currency(_ code: String) throws(AlipayPlusError) -> Currency {
        if code.utf8.first.map({ (0x30...0x39).contains($0) }) == true, let currency = try? Currency(numeric: code) { return currency }
        return try WireCurrency(code).currency
    }

    /// Converts an amount of either currency of the pair into the other, as ``convert(_:at:)``. `malformed-quote`, `unknown-currency`.
    public func convert(_ amount: Amount) throws(AlipayPlusError) -> Amount { try Self.convert(amount, at: rate()) }

    /// Converts an amount of either currency of a rate into the other, rounded once: half up to the smallest unit [O], rupiah half to even
    /// to whole ones (alipay-plus.md#amounts [I]). `malformed-quote` when the amount is of neither currency, or the result does not fit.
    public static func convert(_ amount: Amount, at rate: ExchangeRate) throws(AlipayPlusError) -> Amount {
        let isForward = amount.currency == rate.base
        guard isForward || amount.currency == rate.quote else {
            throw AlipayPlusError(code: .malformedQuote, reason: "the amount is in neither currency of the quote")
        }
        let target = isForward ? rate.quote : rate.base
        let multiple = WireCurrency(target).multiple
        do throws(MoneyError) {
            guard multiple > 1 else {
                return try isForward ? rate.convert(amount, rounding: .halfUp) : rate.convertBack(amount, rounding: .halfUp)
            }
            let price = try Rational(rate.rate)
            let factor = try isForward ? price : Rational(price.denominator, price.numerator)
            let units = try factor * Rational(target.scale, amount.currency.scale * multiple)
            return try Amount(minorUnits: amount.minorUnits, currency: target).multiplied(by: units, rounding: .halfEven) * multiple
        } catch {
            throw AlipayPlusError(code: .malformedQuote, reason: error.reason)
        }
    }
}
