import BillfoldMoney
import Foundation
import Testing

struct ExchangeRateTests {
    func rate(_ base: Currency, _ quote: Currency, _ rate: String) throws -> ExchangeRate {
        try ExchangeRate(base: base, quote: quote, rate: ExactDecimal(rate), source: "test")
    }

    @Test(arguments: [
        ("USD", "CNY", "7.1234", "10.00", "71.23"), ("USD", "JPY", "149.5", "0.01", "1"), ("JPY", "USD", "0.0067", "1000", "6.70"),
        ("KWD", "JPY", "487.25", "1.001", "488"), ("CNY", "CNY", "1.00", "5.00", "5.00"), ("USD", "CNY", "7.1234", "-10.00", "-71.23"),
    ])
    func amountIsConverted(base: String, quote: String, quoted: String, amount: String, expected: String) throws {
        let rate = try rate(Currency(base), Currency(quote), quoted)
        #expect(try rate.convert(Amount(amount, currency: rate.base), rounding: .halfEven) == Amount(expected, currency: rate.quote))
    }

    @Test func conversionBackDivides() throws {
        let rate = try rate(.usd, .cny, "7.1234")
        #expect(try rate.convertBack(Amount("71.23", currency: .cny), rounding: .halfEven).text == "10.00")
        #expect(try rate.convertBack(Amount("0.01", currency: .cny), rounding: .up).text == "0.01")
        #expect(try rate.convertBack(Amount("0.01", currency: .cny), rounding: .down).text == "0.00")
    }

    @Test func anotherCurrencyIsRefused() throws {
        let rate = try rate(.usd, .cny, "7.1234")
        #expect(throws: MoneyError(code: .currencyMismatch, reason: "")) { try rate.convert(.zero(.cny), rounding: .up) }
        #expect(throws: MoneyError(code: .currencyMismatch, reason: "")) { try rate.convertBack(.zero(.usd), rounding: .up) }
    }

    @Test func badRateIsRefused() throws {
        for text in ["0", "0.00", "-7.1"] {
            #expect(throws: MoneyError(code: .invalidRatio, reason: "")) { try rate(.usd, .cny, text) }
        }
        #expect(throws: MoneyError(code: .invalidRatio, reason: "")) { try rate(.cny, .cny, "1.01") }
        #expect(throws: MoneyError(code: .tooManyDigits, reason: "")) { try rate(.usd, .cny, "0.1234567890123456789") }
    }

    @Test func resultOver64BitsIsRefused() throws {
        let overflow = MoneyError(code: .overflow, reason: "")
        let rate = try rate(.usd, .clf, "9223372036854775807")
        #expect(throws: overflow) { try rate.convert(Amount(minorUnits: .max, currency: .usd), rounding: .down) }
        #expect(throws: overflow) { try rate.convert(Amount(minorUnits: .min, currency: .usd), rounding: .down) }
    }

    /// 5·10^18 times 10^20 over 10^20: more than 128 bits on the way, and as much as before in the end.
    @Test func anAmountThatFitsInLowestTermsIsConverted() throws {
        let rate = try rate(.usd, .eur, "1.000000000000000000")
        let amount = Amount(minorUnits: 5_000_000_000_000_000_000, currency: .usd)
        #expect(try rate.convert(amount, rounding: .halfUp).minorUnits == amount.minorUnits)
        let back = try rate.convertBack(Amount(minorUnits: -amount.minorUnits, currency: .eur), rounding: .halfUp)
        #expect(back.minorUnits == -amount.minorUnits)
    }

    @Test func thereAndBackLosesLessThanOneUnit() throws {
        var random = Seeded(seed: 31)
        for _ in 0..<2000 {
            let rate = try rate(.usd, .cny, "\(Int64.random(in: 1...20, using: &random)).\(Int64.random(in: 0...9999, using: &random))")
            let amount = Amount(minorUnits: random.integer() >> 16, currency: .usd)
            let back = try rate.convertBack(rate.convert(amount, rounding: .halfEven), rounding: .halfEven)
            #expect(abs(back.minorUnits - amount.minorUnits) <= 1)
        }
    }

    @Test func quotedSpellingSurvivesCoding() throws {
        let rate = try rate(.usd, .cny, "7.1200")
        let coded = try JSONEncoder().encode(rate)
        let read = try JSONDecoder().decode(ExchangeRate.self, from: coded)
        #expect(read == rate && read.rate.description == "7.1200")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ExchangeRate.self, from: Data(#"{"base":"USD","quote":"CNY","rate":"0","source":"x"}"#.utf8))
        }
    }

    @Test func decimalsCompareByValue() throws {
        #expect(try ExactDecimal("7.10") == ExactDecimal("7.1"))
        #expect(try Set([ExactDecimal("7.10"), ExactDecimal("7.1")]).count == 1)
        #expect(try ExactDecimal("7.09") < ExactDecimal("7.1"))
        #expect(try ExactDecimal("-0.5").description == "-0.5")
    }
}
