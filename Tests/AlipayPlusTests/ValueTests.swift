import AlipayPlus
import AlipayPlusValues
import BillfoldMoney
import BillfoldTestSupport
import Testing

@Suite struct ValueTests {
    func refused(_ code: AlipayPlusError.Code) -> AlipayPlusError { AlipayPlusError(code: code, reason: "") }

    @Test(arguments: [
        ("2026-03-01T10:15:30+08:00", 1_772_331_330_000 as Int64), ("2026-03-01T02:15:30Z", 1_772_331_330_000),
        ("2026-03-01T02:15:31.09Z", 1_772_331_331_090), ("2026-02-28T18:15:30.123456789-0800", 1_772_331_330_123),
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.5Z", -500),
    ])
    func isoTimeIsItsMoment(text: String, milliseconds: Int64) throws {
        #expect(try AlipayPlusTime(text).millisecondsSince1970 == milliseconds)
        #expect(try AlipayPlusTime(header: text).millisecondsSince1970 == milliseconds)
    }

    @Test func headerTimeMayBeEpochMilliseconds() throws {
        #expect(try AlipayPlusTime(header: "1772331330123").description == "2026-03-01T10:15:30+08:00")
        #expect(throws: refused(.malformedField)) { try AlipayPlusTime("1772331330123") }
    }

    @Test(arguments: [
        "", "2026-03-01", "2026-03-01T10:15:30", "2026-03-01 10:15:30Z", "2026-02-29T10:15:30Z", "2026-13-01T10:15:30Z",
        "2026-03-01T24:15:30Z",
        "2026-03-01T10:15:30.Z", "2026-03-01T10:15:30.1234567890Z", "2026-03-01T10:15:30+8", "2026-03-01T10:15:30+19:00", "177233133012",
        "2026-03-01T10:15:30ZZ", "２026-03-01T10:15:30Z",
    ])
    func timeWithoutMomentOrZoneIsRefused(text: String) {
        #expect(throws: refused(.malformedTime)) { try AlipayPlusTime(header: text) }
    }

    @Test func daysAreThoseOfUTCPlus8() throws {
        let late = try AlipayPlusTime("2026-03-01T16:00:00Z")
        #expect(late.day == "20260302")
        #expect(late.adding(seconds: -1).day == "20260301")
        #expect(late.startOfDay == late)
        #expect(late.cancelDeadline.description == "2026-03-03T00:15:00+08:00")
        #expect(late.refundDeadline.description == "2027-03-02T00:00:00+08:00")
        #expect(AlipayPlusTime(day: "20260302") == late)
        #expect(AlipayPlusTime(day: "20260230") == nil)
        #expect(AlipayPlusTime(millisecondsSince1970: -1).day == "19700101")
        #expect(AlipayPlusTime(late.date) == late)
    }

    @Test func resultIsFoundByItsCodeAndKeepsItsStatus() throws {
        #expect(AlipayPlusResult.documented.count == 40)
        #expect(Set(AlipayPlusResult.documented.map(\.resultCode)).count == 40)
        #expect(AlipayPlusResult(documented: "PAYMENT_IN_PROCESS")?.resultStatus == .unknown)
        #expect(AlipayPlusResult(documented: "NOBODY_SAYS_THIS") == nil)
        #expect(AlipayPlusResult.documented.filter { $0.resultStatus == .success } == [.success])
        #expect(AlipayPlusResult.success.saying(String(repeating: "x", count: 300)).resultMessage?.count == 256)
    }

    @Test(arguments: [
        (AlipayPlusError.Code.signatureMismatch, "INVALID_SIGNATURE"), (.unknownKeyVersion, "KEY_NOT_FOUND"),
        (.missingClientID, "INVALID_CLIENT"),
        (.staleTime, "PARAM_ILLEGAL"), (.missingField, "PARAM_ILLEGAL"), (.unknownCurrency, "CURRENCY_NOT_SUPPORT"),
        (.malformedCode, "INVALID_CODE"), (.unusableKey, "UNKNOWN_EXCEPTION"), (.unsupportedAlgorithm, "INVALID_SIGNATURE"),
    ])
    func refusalHasADocumentedCode(code: AlipayPlusError.Code, result: String) {
        #expect(AlipayPlusResult(refusing: refused(code)).resultCode == result)
    }

    @Test(arguments: ["1", "0", "100", "1500000"]) func rupiahEndIn00(value: String) {
        let amount = WireAmount(currency: "IDR", value: value)
        if value.hasSuffix("00") || value == "0" {
            #expect(throws: Never.self) { try amount.amount() }
        } else {
            #expect(throws: refused(.amountRule)) { try amount.amount() }
        }
    }

    @Test(arguments: ["", "+1", "-1", "1.0", "1e2", "１", " 1", "12345678901234567"])
    func valueThatIsNoWholeNumberOfUnitsIsRefused(value: String) {
        #expect(throws: refused(.malformedAmount)) { try WireAmount(currency: "USD", value: value).amount() }
    }

    /// The vendor's amount utility takes zeros that say nothing.
    @Test(arguments: [("SGD", "0250", 250), ("USD", "01", 1), ("JPY", "000", 0), ("IDR", "0150000", 150_000)])
    func zerosInFrontSayNothing(currency: String, value: String, units: Int64) throws {
        #expect(try WireAmount(currency: currency, value: value).amount().minorUnits == units)
    }

    @Test(arguments: [
        ("JPY", "990.0", "990"), ("JPY", "990.00", "990"), ("USD", "19.990", "1999"), ("USD", "19.9", "1990"),
        ("IDR", "1500.000", "150000"),
        ("USD", "0.000", "0"),
    ])
    func aZeroFractionIsNoPrecision(currency: String, major: String, value: String) throws {
        #expect(try WireAmount(major: major, currency: currency).value == value)
    }

    @Test(arguments: [
        ("JPY", "990.50", AlipayPlusError.Code.excessPrecision), ("USD", "19.9990", .excessPrecision), ("JPY", "990.", .malformedAmount),
        ("JPY", ".0", .malformedAmount), ("JPY", "99.0.0", .malformedAmount), ("JPY", "-1.0", .malformedAmount),
    ])
    func aFractionThatSaysSomethingIsRefused(currency: String, major: String, code: AlipayPlusError.Code) {
        #expect(throws: refused(code)) { try WireAmount(major: major, currency: currency) }
    }

    @Test(arguments: [
        ("USD", "19.99", "an amount counts USD's smallest unit, and a decimal point has no place in it: 19.99 USD is 1999"),
        ("JPY", "1000.5", "an amount counts JPY's smallest unit, and a decimal point has no place in it"),
        ("IDR", "150.00", "an amount counts IDR's smallest unit, and a decimal point has no place in it: 150.00 IDR is 15000"),
        ("USD", "1e3", "an amount is not 1 to 16 digits of USD's smallest unit"),
    ])
    func refusedAmountSaysWhatIsMeant(currency: String, value: String, reason: String) {
        let error = #expect(throws: AlipayPlusError.self) { try WireAmount(currency: currency, value: value).amount() }
        #expect(error?.reason == reason)
    }

    @Test(arguments: ["usd", "", "XXX", "ABC", "840"]) func currencyThatIsNoneIsRefused(currency: String) {
        #expect(throws: refused(.unknownCurrency)) { try WireAmount(currency: currency, value: "1").amount() }
    }

    @Test func rupiahAreConvertedOnceToWholeOnes() throws {
        // 1 USD at 15000.0049 IDR: exactly 15000.0049 rupiah; at 0.5 rupiah more the even neighbour wins.
        func idr(_ price: String) throws -> String {
            let quote = WireQuote(quoteCurrencyPair: "USD/IDR", quotePrice: price)
            return try quote.convert(Amount(minorUnits: 100, currency: .usd)).minorUnitText
        }
        #expect(try idr("15000.0049") == "1500000")
        #expect(try idr("15000.5") == "1500000")
        #expect(try idr("15001.5") == "1500200")
        // Rounded to the sen first, this would go to 15000.50 and then down.
        #expect(try idr("15000.504") == "1500100")
        let back = WireQuote(quoteCurrencyPair: "IDR/USD", quotePrice: "0.00006")
        #expect(try back.convert(Amount(minorUnits: 100, currency: .usd)).minorUnitText == "1666700")
    }

    @Test(arguments: [
        WireQuote(quoteCurrencyPair: "USD", quotePrice: "1"), WireQuote(quoteCurrencyPair: "USD/KRW/JPY", quotePrice: "1"),
        WireQuote(quoteCurrencyPair: "USD/KRW", quotePrice: "0"), WireQuote(quoteCurrencyPair: "USD/KRW", quotePrice: "1e3"),
        WireQuote(quoteCurrencyPair: "USD/KRW", quotePrice: "-1"),
        WireQuote(quoteCurrencyPair: "USD/KRW", quotePrice: "1", quoteUnit: "100"),
    ])
    func quoteThatPricesNothingIsRefused(quote: WireQuote) {
        #expect(throws: refused(.malformedQuote)) { try quote.convert(Amount(minorUnits: 1, currency: .usd)) }
    }

    @Test func quoteRefusesAThirdCurrency() throws {
        let quote = WireQuote(
            try ExchangeRate(base: .usd, quote: .krw, rate: ExactDecimal("1391.5"), source: "bank"), quoteId: "Q1")
        #expect(quote.quoteCurrencyPair == "USD/KRW")
        #expect(try quote.rate().source == "Q1")
        #expect(throws: refused(.malformedQuote)) { try quote.convert(Amount(minorUnits: 1, currency: .jpy)) }
    }
}

/// One case of `amount-vectors.json`.
struct AmountVector: Decodable, Sendable {
    var currency: String
    var major: String?
    var value: String?
    var wireValue: String?
    var error: String?

    struct File: Decodable { var cases: [AmountVector] }
    static var all: [AmountVector] { (try? Vectors.json("alipay-plus-acquirer/amount-vectors.json", as: File.self))?.cases ?? [] }
}

struct CurrencyRules: Decodable {
    struct Unit: Decodable { var minorUnit: Int }
    struct Constraint: Decodable { var minorValueMultiple: String }
    var currencies: [String: Unit]
    var antomConstraints: [String: Constraint]
}

/// One case of `fx-quote-vectors.json`.
struct QuoteVector: Decodable, Sendable {
    struct Side: Decodable, Sendable {
        var currency: String
        var value: String
    }
    var pair: String
    var price: String
    var from: Side
    var to: Side

    struct File: Decodable { var cases: [QuoteVector] }
    static var all: [QuoteVector] { (try? Vectors.json("alipay-plus-acquirer/fx-quote-vectors.json", as: File.self))?.cases ?? [] }
}

@Suite(.enabled(if: SignatureVector.areThere))
struct MoneyVectorTests {
    @Test(arguments: AmountVector.all) func majorUnitsAndWireValuesAgree(vector: AmountVector) throws {
        let codes: [String: AlipayPlusError.Code] = [
            "EXCESS_PRECISION": .excessPrecision, "RULE_VIOLATION": .amountRule, "INVALID_VALUE_FORMAT": .malformedAmount,
            "INVALID_CURRENCY": .unknownCurrency,
        ]
        func read() throws -> WireAmount {
            if let major = vector.major { return try WireAmount(major: major, currency: vector.currency) }
            let amount = WireAmount(currency: vector.currency, value: try #require(vector.wireValue))
            _ = try amount.amount()
            return amount
        }
        if let error = vector.error {
            #expect(throws: AlipayPlusError(code: try #require(codes[error]), reason: "")) { try read() }
        } else {
            #expect(try read().value == vector.value)
        }
    }

    @Test func publishedCurrencyTableAgrees() throws {
        let rules = try Vectors.json("alipay-plus-acquirer/amount-currency-rules.json", as: CurrencyRules.self)
        #expect(AmountVector.all.count == 12)
        #expect(rules.currencies.count == 24)
        for (code, unit) in rules.currencies {
            let currency = try WireCurrency(code)
            #expect(currency.currency.fractionDigits == unit.minorUnit, "\(code)")
            #expect(String(currency.multiple) == rules.antomConstraints[code]?.minorValueMultiple ?? "1", "\(code)")
        }
    }

    @Test(arguments: QuoteVector.all) func sampleMessagesAreConverted(vector: QuoteVector) throws {
        let quote = WireQuote(quoteCurrencyPair: vector.pair, quotePrice: vector.price)
        let from = try WireAmount(currency: vector.from.currency, value: vector.from.value).amount()
        #expect(WireAmount(try quote.convert(from)) == WireAmount(currency: vector.to.currency, value: vector.to.value))
    }
}
