import BillfoldMoney
import Foundation
import Testing

struct CurrencyTests {
    @Test func listHasEveryCodeOnce() {
        #expect(Currency.listDate == "2026-01-01")
        #expect(Currency.listed.count == 178)
        #expect(Set(Currency.listed.map(\.alphabeticCode)).count == 178)
        #expect(Set(Currency.listed.map(\.numericCode)).count == 178)
        #expect(Currency.listed.map(\.alphabeticCode) == Currency.listed.map(\.alphabeticCode).sorted())
    }

    @Test func minorUnitsAreCountedAsInTheList() {
        let counts = Dictionary(grouping: Currency.listed, by: \.minorUnits).mapValues(\.count)
        #expect(counts == [2: 139, 0: 17, nil: 13, 3: 7, 4: 2])
    }

    @Test func whatOnlyLooksLikeACodeIsNone() {
        // The Kelvin sign equals K by Unicode's rules.
        for text in ["P\u{212A}R", "\u{212A}RW", "pkr", "PKR ", ""] {
            #expect(throws: MoneyError(code: .unknownCurrency, reason: "")) { try Currency(text) }
        }
    }

    @Test func codesHaveTheirShape() {
        for currency in Currency.listed {
            #expect(currency.alphabeticCode.utf8.count == 3 && currency.alphabeticCode.utf8.allSatisfy { (65...90).contains($0) })
            #expect(currency.numericCode.utf8.count == 3 && currency.numericCode.utf8.allSatisfy { (48...57).contains($0) })
            #expect(!currency.name.isEmpty)
        }
    }

    @Test(arguments: [
        ("CNY", "156", 2, "Yuan Renminbi"), ("USD", "840", 2, "US Dollar"), ("EUR", "978", 2, "Euro"), ("JPY", "392", 0, "Yen"),
        ("ALL", "008", 2, "Lek"), ("KWD", "414", 3, "Kuwaiti Dinar"), ("CLF", "990", 4, "Unidad de Fomento"),
        ("TRY", "949", 2, "Turkish Lira"), ("KRW", "410", 0, "Won"), ("ISK", "352", 0, "Iceland Krona"),
        ("TND", "788", 3, "Tunisian Dinar"),
    ])
    func sampleIsFoundByBothCodes(alphabetic: String, numeric: String, minorUnits: Int, name: String) throws {
        let byLetters = try Currency(alphabetic)
        let byDigits = try Currency(numeric: numeric)
        #expect(byLetters == byDigits)
        #expect(byLetters.numericCode == numeric && byDigits.alphabeticCode == alphabetic)
        #expect(byLetters.minorUnits == minorUnits && byLetters.fractionDigits == minorUnits)
        #expect(byLetters.name == name)
    }

    @Test(arguments: ["XAU", "XXX", "XTS", "XDR"])
    func currencyWithoutMinorUnitsSaysSo(code: String) throws {
        let currency = try Currency(code)
        #expect(currency.minorUnits == nil && currency.fractionDigits == 0)
        #expect(Amount(minorUnits: 7, currency: currency).text == "7")
    }

    @Test(arguments: ["", "cny", "CN", "CNYY", " CNY", "ZZZ", "DEM", "156", "C\u{0}Y", "ＣＮＹ"])
    func unknownAlphabeticCodeIsRefused(code: String) {
        #expect(throws: MoneyError(code: .unknownCurrency, reason: "")) { try Currency(code) }
    }

    @Test(arguments: ["", "8", "08", "0008", "CNY", "000", "276", "１５６", "+08"])
    func unknownNumericCodeIsRefused(code: String) {
        #expect(throws: MoneyError(code: .unknownCurrency, reason: "")) { try Currency(numeric: code) }
    }

    @Test(
        arguments: [
            ("CNY", 33, 3_300, true), ("CNY", 3_300, 33, true), ("CNY", -33, -3_300, true), ("KWD", 1, 1_000, true), ("KWD", 1, 100, false),
            ("CNY", 0, 0, false), ("JPY", 33, 3_300, false), ("JPY", 33, 33, false), ("CNY", 184_467_440_737_095_518, 184, false),
            ("CNY", .max, .min, false),
        ] as [(String, Int64, Int64, Bool)])
    func unitsAreMixedAtExactlyTheScale(code: String, first: Int64, second: Int64, mixed: Bool) throws {
        #expect(try Currency(code).isScale(between: first, and: second) == mixed)
    }

    @Test func codingUsesTheAlphabeticCode() throws {
        #expect(String(decoding: try JSONEncoder().encode([Currency.cny]), as: UTF8.self) == #"["CNY"]"#)
        #expect(try JSONDecoder().decode([Currency].self, from: Data(#"["TRY"]"#.utf8)) == [.try])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Currency].self, from: Data(#"["try"]"#.utf8)) }
    }

    @Test func errorRepeatsLittleOfAStrangersText() {
        do {
            _ = try Currency("\u{1b}[31m" + String(repeating: "x", count: 5000))
            Issue.record("an unknown code was accepted")
        } catch {
            #expect(error.reason.count < 120 && !error.reason.contains("\u{1b}"))
        }
    }
}
