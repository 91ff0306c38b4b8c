import BillfoldMoney
import Foundation
import Testing

struct AmountTextTests {
    @Test(arguments: [
        ("33.00", "CNY", 3300), ("33", "CNY", 3300), ("33.5", "CNY", 3350), ("0", "CNY", 0), ("0.01", "CNY", 1), ("-0.05", "CNY", -5),
        ("33", "JPY", 33), ("1.234", "KWD", 1234), ("1.2", "KWD", 1200), ("1.2345", "CLF", 12345), ("7", "XAU", 7),
        ("92233720368547758.07", "CNY", Int64.max), ("-92233720368547758.08", "CNY", Int64.min),
    ])
    func majorUnitsAreReadExactly(text: String, code: String, minorUnits: Int64) throws {
        #expect(try Amount(text, currency: Currency(code)).minorUnits == minorUnits)
    }

    @Test(arguments: [
        "", " ", "-", ".", "1.", ".5", "+1", "1e2", "1E2", "1,000", "1 000", "1_000", " 1", "1 ", "1\n", "--1", "-0", "-0.00", "00", "01",
        "-01",
        "0x10", "1.2.3", "１２", "٣", "NaN", "inf", "1.-5", "½", "−5", "1\u{0}",
    ])
    func anotherSpellingIsRefused(text: String) {
        #expect(throws: MoneyError(code: .malformedNumber, reason: "")) { try Amount(text, currency: .cny) }
        #expect(throws: MoneyError(code: .malformedNumber, reason: "")) { try ExactDecimal(text) }
    }

    @Test(arguments: [("1.000", "CNY"), ("1.0", "JPY"), ("0.12345", "CLF"), ("1.2", "XAU")])
    func tooManyDigitsAreRefused(text: String, code: String) {
        #expect(throws: MoneyError(code: .tooManyDigits, reason: "")) { try Amount(text, currency: Currency(code)) }
    }

    @Test(arguments: [("33", "CNY"), ("33.5", "CNY"), ("1.23", "KWD")])
    func exactRuleRefusesFewerDigits(text: String, code: String) {
        #expect(throws: MoneyError(code: .tooFewDigits, reason: "")) { try Amount(text, currency: Currency(code), fraction: .exact) }
    }

    @Test(arguments: ["92233720368547758.08", "-92233720368547758.09", "92233720368547759", String(repeating: "9", count: 400)])
    func numberOver64BitsIsRefused(text: String) {
        #expect(throws: MoneyError(code: .overflow, reason: "")) { try Amount(text, currency: .cny) }
    }

    @Test func minorUnitTextIsReadExactly() throws {
        #expect(try Amount(minorUnitText: "3300", currency: .cny).text == "33.00")
        #expect(try Amount(minorUnitText: "-1", currency: .cny).minorUnitText == "-1")
        #expect(try Amount(minorUnitText: "000000003300", currency: .cny, allowsLeadingZeros: true).minorUnits == 3300)
        #expect(try Amount(minorUnitText: "000", currency: .cny, allowsLeadingZeros: true).isZero)
    }

    @Test(arguments: [
        ("0033", false), ("33.00", false), ("33.00", true), ("", true), ("", false), ("00-1", true), ("0.5", true), ("0000.5", true),
    ])
    func otherMinorUnitTextIsRefused(text: String, leadingZeros: Bool) {
        #expect(throws: MoneyError(code: .malformedNumber, reason: "")) {
            try Amount(minorUnitText: text, currency: .cny, allowsLeadingZeros: leadingZeros)
        }
    }

    @Test func everyAmountReadsBackAsItself() throws {
        var random = Seeded(seed: 0x4d_6f6e_6579)
        let edges: [Int64] = [0, 1, -1, 9, 10, 99, 100, -100, 999, 1000, .max, .min, .min + 1]
        for currency in Currency.listed {
            for minorUnits in edges + (0..<40).map({ _ in random.integer() }) {
                let amount = Amount(minorUnits: minorUnits, currency: currency)
                #expect(try Amount(amount.text, currency: currency, fraction: .exact) == amount)
                #expect(try Amount(minorUnitText: amount.minorUnitText, currency: currency) == amount)
                #expect(try Amount(amount.decimalNumber, currency: currency) == amount)
            }
        }
    }

    @Test func codingIsDecimalText() throws {
        let amount = Amount(minorUnits: 1234, currency: .cny)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(amount), as: UTF8.self) == #"{"amount":"12.34","currency":"CNY"}"#)
        #expect(try JSONDecoder().decode(Amount.self, from: encoder.encode(amount)) == amount)
    }

    @Test(arguments: [
        #"{"amount":12.34,"currency":"CNY"}"#, #"{"amount":"12.3","currency":"CNY"}"#, #"{"amount":"12.34","currency":"cny"}"#,
        #"{"amount":"12.34"}"#, #"{"amount":"12.345","currency":"CNY"}"#, #"{"amount":"1e2","currency":"JPY"}"#,
    ])
    func otherCodingIsRefused(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Amount.self, from: Data(json.utf8)) }
    }

    @Test func decimalNumberIsTakenExactly() throws {
        #expect(try Amount(NSDecimalNumber(string: "0.1"), currency: .cny).minorUnits == 10)
        #expect(throws: MoneyError.self) { try Amount(NSDecimalNumber(string: "0.001"), currency: .cny) }
        #expect(throws: MoneyError.self) { try Amount(NSDecimalNumber.notANumber, currency: .cny) }
    }
}
