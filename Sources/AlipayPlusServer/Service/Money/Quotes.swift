import AlipayPlus
import AlipayPlusValues
package import BillfoldMoney
package import BillfoldStorage

/// The rates that quotes are made of, one table of dollar prices for all pairs [I].
package struct Quotes: Sendable {
    let database: any Database
    /// How long a quote says that it holds [I]. A payment keeps the one that it was made with.
    static let validity: Int64 = 1_800

    /// Publishes what one US dollar costs in each currency from an instant on. `rate-file` for a price that is not above zero.
    package func publish(_ perDollar: [Currency: String], at instant: Timestamp) async throws {
        var rates: [(currency: Currency, rate: ExactDecimal)] = []
        for (currency, text) in perDollar.sorted(by: { $0.key.alphabeticCode < $1.key.alphabeticCode }) {
            // So many digits and no more: the quotient of any two stays exact in 128 bits.
            guard let rate = try? ExactDecimal(text), (1..<10_000_000_000).contains(rate.significand), rate.fractionDigits <= 8 else {
                throw AlipayPlusServerError(
                    code: .rateFile,
                    reason: "the price of \(currency) is no number above zero of at most ten digits, eight behind the point")
            }
            rates.append((currency: currency, rate: rate))
        }
        let all = rates
        try await database.writeRepeatably { tx in
            try DollarRateRecords.publish(all, at: instant, in: tx)
        }
    }

    /// Publishes a file's rates. Doing it again changes nothing.
    package func publish(_ rates: AlipayPlusFile.Rates) async throws { try await publish(rates.perDollar, at: Timestamp(rates.since)) }

    /// `to / from` with eight significant digits, rounded half up.
    static func price(_ from: ExactDecimal, _ to: ExactDecimal) throws -> ExactDecimal {
        func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 } }
        var top = Int128(to.significand) * power(from.fractionDigits)
        let bottom = Int128(from.significand) * power(to.fractionDigits)
        var digits = 0
        // No price needs more digits: a whole unit would be a hundred thousand million of the other's.
        while digits < 18, top < bottom * 10_000_000 { (top, digits) = (top * 10, digits + 1) }
        let scaled = (top * 2 + bottom) / (bottom * 2)
        guard let units = Int64(exactly: scaled), units > 0 else {
            throw ResultRefusal(.currencyNotSupport, "the two rates are too far apart")
        }
        return try ExactDecimal(significand: units, fractionDigits: digits)
    }
}

extension Timestamp {
    init(_ time: AlipayPlusTime) { self.init(microseconds: time.millisecondsSince1970 * 1_000) }
    var alipayPlusTime: AlipayPlusTime { AlipayPlusTime(millisecondsSince1970: microseconds / 1_000) }
}
