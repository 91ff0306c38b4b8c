import BillfoldMoney
import Testing

struct AmountArithmeticTests {
    let yuan = Amount(minorUnits: 100, currency: .cny)
    let dollar = Amount(minorUnits: 100, currency: .usd)

    @Test func currenciesNeverMix() {
        let mismatch = MoneyError(code: .currencyMismatch, reason: "")
        #expect(throws: mismatch) { try yuan + dollar }
        #expect(throws: mismatch) { try yuan - dollar }
        #expect(throws: mismatch) { try yuan < dollar }
        #expect(throws: mismatch) { try yuan <= dollar }
        #expect(throws: mismatch) { try yuan > dollar }
        #expect(throws: mismatch) { try yuan >= dollar }
        #expect(throws: mismatch) { try Amount.sum([yuan, dollar], currency: .cny) }
        #expect(throws: mismatch) { try Amount.sum([dollar], currency: .cny) }
        #expect(yuan != dollar)
    }

    @Test func comparisonsFollowMinorUnits() throws {
        let more = Amount(minorUnits: 101, currency: .cny)
        #expect(try yuan < more)
        #expect(try more > yuan)
        #expect(try yuan <= yuan)
        #expect(try yuan >= yuan)
        #expect(try !(more <= yuan))
        #expect(try !(yuan >= more))
    }

    @Test func overflowThrows() {
        let overflow = MoneyError(code: .overflow, reason: "")
        let (most, least) = (Amount(minorUnits: .max, currency: .cny), Amount(minorUnits: .min, currency: .cny))
        #expect(throws: overflow) { try most + Amount(minorUnits: 1, currency: .cny) }
        #expect(throws: overflow) { try least - Amount(minorUnits: 1, currency: .cny) }
        #expect(throws: overflow) { try least.negated() }
        #expect(throws: overflow) { try most * 2 }
        #expect(throws: overflow) { try least * -1 }
        #expect(throws: overflow) { try most.multiplied(by: Rational(3, 2), rounding: .halfEven) }
        #expect(throws: overflow) { try Amount.sum([most, most], currency: .cny) }
    }

    @Test func sumMayLeave64BitsOnTheWay() throws {
        let most = Amount(minorUnits: .max, currency: .cny)
        #expect(try Amount.sum([most, most, most.negated()], currency: .cny) == most)
        #expect(try Amount.sum([], currency: .jpy) == .zero(.jpy))
    }

    @Test func additionAndSubtractionUndoEachOther() throws {
        var random = Seeded(seed: 7)
        for _ in 0..<5000 {
            let (a, b) = (
                Amount(minorUnits: random.integer() / 2, currency: .kwd), Amount(minorUnits: random.integer() / 2, currency: .kwd)
            )
            #expect(try (a + b) - b == a)
            #expect(try a + b == b + a)
            #expect(try a - b == a + b.negated())
        }
    }

    @Test(
        arguments: [
            // numerator, denominator, then half-even, half-up, down, up, towards zero, away from zero
            [5, 2, 2, 3, 2, 3, 2, 3], [7, 2, 4, 4, 3, 4, 3, 4], [-5, 2, -2, -3, -3, -2, -2, -3], [-7, 2, -4, -4, -4, -3, -3, -4],
            [1, 3, 0, 0, 0, 1, 0, 1], [-1, 3, 0, 0, -1, 0, 0, -1], [2, 3, 1, 1, 0, 1, 0, 1], [-2, 3, -1, -1, -1, 0, 0, -1],
            [1, 2, 0, 1, 0, 1, 0, 1], [-1, 2, 0, -1, -1, 0, 0, -1], [6, 3, 2, 2, 2, 2, 2, 2], [-6, 3, -2, -2, -2, -2, -2, -2],
        ] as [[Int64]])
    func roundingFollowsItsTable(row: [Int64]) throws {
        let modes: [Rounding] = [.halfEven, .halfUp, .down, .up, .towardZero, .awayFromZero]
        for (mode, expected) in zip(modes, row.dropFirst(2)) {
            let result = try Amount(minorUnits: row[0], currency: .jpy).multiplied(by: Rational(1, row[1]), rounding: mode)
            #expect(result.minorUnits == expected, "\(mode)")
        }
    }

    @Test(arguments: Rounding.allCases)
    func roundedProductLiesNextToTheExactOne(mode: Rounding) throws {
        var random = Seeded(seed: 11)
        for _ in 0..<3000 {
            let amount = Amount(minorUnits: random.integer() >> 24, currency: .cny)
            let factor = try Rational(random.integer() >> 40, Int64.random(in: 1...1_000_000, using: &random))
            let result = try amount.multiplied(by: factor, rounding: mode)
            let exact = Int128(amount.minorUnits) * Int128(factor.numerator)
            let gap = exact - Int128(result.minorUnits) * Int128(factor.denominator)
            #expect(gap.magnitude < UInt128(factor.denominator))
            switch mode {
            case .halfEven, .halfUp: #expect(gap.magnitude * 2 <= UInt128(factor.denominator))
            case .down: #expect(gap >= 0)
            case .up: #expect(gap <= 0)
            case .towardZero: #expect(gap == 0 || (gap > 0) == (exact > 0))
            case .awayFromZero: #expect(gap == 0 || (gap > 0) == (exact < 0))
            }
        }
    }

    @Test func percentageIsExactBeforeItsOneRounding() throws {
        let amount = Amount(minorUnits: 9999, currency: .cny)
        #expect(try amount.percentage("10", rounding: .halfUp).minorUnits == 1000)
        #expect(try amount.percentage("0.5", rounding: .down).minorUnits == 49)
        #expect(try amount.percentage("100", rounding: .halfEven) == amount)
        #expect(try Rational(percent: "12.5") == Rational(1, 8))
        #expect(try Rational(decimal: "0.130") == Rational(13, 100))
        #expect(try Rational(-2, -4) == Rational(1, 2))
        #expect(throws: MoneyError(code: .invalidRatio, reason: "")) { try Rational(1, 0) }
        #expect(throws: MoneyError(code: .overflow, reason: "")) { try Rational(.max, 1) + Rational.one }
    }
}

struct PricedLineTests {
    @Test func taxIsRoundedForEachLineAndThenAdded() throws {
        // Three lines of 0.33 at 13 %: each tax is 0.0429, rounded 0.04; one tax on 0.99 would be 0.13.
        let line = try PricedLine(unitAmount: Amount("0.33", currency: .cny), quantity: 1, taxRate: Rational(decimal: "0.13"))
        let totals = try PricedLine.totals(of: [line, line, line], currency: .cny, rounding: .halfUp)
        #expect(totals.net.text == "0.99" && totals.tax.text == "0.12" && totals.gross.text == "1.11")
    }

    @Test func quantityIsMultipliedBeforeTax() throws {
        let line = try PricedLine(unitAmount: Amount("0.33", currency: .cny), quantity: 3, taxRate: Rational(decimal: "0.13"))
        #expect(try line.net().text == "0.99")
        #expect(try line.tax(rounding: .halfUp).text == "0.13")
        #expect(try line.gross(rounding: .halfUp).text == "1.12")
    }

    @Test func currencyWithoutFractionRoundsToWholeUnits() throws {
        let line = try PricedLine(unitAmount: Amount("105", currency: .jpy), quantity: 1, taxRate: Rational(decimal: "0.1"))
        #expect(try line.tax(rounding: .halfEven).text == "10")
        #expect(try line.tax(rounding: .halfUp).text == "11")
    }

    @Test func badLineIsRefused() throws {
        #expect(throws: MoneyError(code: .invalidQuantity, reason: "")) { try PricedLine(unitAmount: .zero(.cny), quantity: -1) }
        #expect(throws: MoneyError(code: .invalidRatio, reason: "")) {
            try PricedLine(unitAmount: .zero(.cny), quantity: 1, taxRate: Rational(-1, 10))
        }
        let line = try PricedLine(unitAmount: .zero(.usd), quantity: 1)
        #expect(throws: MoneyError(code: .currencyMismatch, reason: "")) {
            try PricedLine.totals(of: [line], currency: .cny, rounding: .halfUp)
        }
    }
}

struct AllocationTests {
    @Test(
        arguments: [
            (100, [1, 1, 1], [34, 33, 33]), (-100, [1, 1, 1], [-34, -33, -33]), (5, [3, 7], [2, 3]), (1, [0, 1], [0, 1]),
            (0, [1, 2], [0, 0]),
            (10, [1, 0, 2], [3, 0, 7]), (Int64.max, [1, 1], [Int64.max / 2 + 1, Int64.max / 2]), (Int64.min, [.max, 0], [Int64.min, 0]),
        ] as [(Int64, [Int64], [Int64])])
    func partsFollowTheirTable(whole: Int64, weights: [Int64], parts: [Int64]) throws {
        #expect(try Amount(minorUnits: whole, currency: .cny).allocated(by: weights).map(\.minorUnits) == parts)
    }

    @Test func noMinorUnitIsLostOrMade() throws {
        var random = Seeded(seed: 23)
        for _ in 0..<4000 {
            let amount = Amount(minorUnits: random.integer(), currency: .cny)
            var weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in Int64(random.integer().magnitude >> 1) >> 4 }
            weights[Int.random(in: 0..<weights.count, using: &random)] += 1
            let parts = try amount.allocated(by: weights)
            let total = weights.reduce(Int128(0)) { $0 + Int128($1) }
            #expect(try Amount.sum(parts, currency: .cny) == amount)
            for (part, weight) in zip(parts, weights) {
                let gap = Int128(part.minorUnits) * total - Int128(amount.minorUnits) * Int128(weight)
                #expect(gap.magnitude < total.magnitude)
                if weight == 0 { #expect(part.isZero) }
            }
        }
    }

    @Test func equalPartsDifferByAtMostOne() throws {
        for count in 1...50 {
            let parts = try Amount(minorUnits: 1001, currency: .jpy).split(into: count).map(\.minorUnits)
            #expect(parts.reduce(0, +) == 1001 && parts.count == count)
            #expect(parts.first! - parts.last! <= 1 && parts == parts.sorted(by: >))
        }
    }

    @Test(arguments: [[], [0], [0, 0], [1, -1], [-1]] as [[Int64]])
    func badWeightsAreRefused(weights: [Int64]) {
        #expect(throws: MoneyError(code: .invalidAllocation, reason: "")) { try Amount.zero(.cny).allocated(by: weights) }
    }

    @Test(arguments: [0, -1, Int.min])
    func splittingIntoNothingIsRefused(count: Int) {
        #expect(throws: MoneyError(code: .invalidAllocation, reason: "")) { try Amount.zero(.cny).split(into: count) }
    }
}
