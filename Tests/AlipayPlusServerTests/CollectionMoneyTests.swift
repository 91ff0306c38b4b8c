import AlipayPlus
import BillfoldMoney
import BillfoldPayments
import BillfoldTestSupport
import Testing

@testable import AlipayPlusServer

/// What a payment comes to, and what its parts do.
struct CollectionMoneyTests {
    private func money(
        _ units: Int64, _ currency: Currency, pay: WireQuote? = nil, settle: WireQuote? = nil, promotion: Promotion? = nil,
        fee: String = "0"
    ) throws -> CollectionMoney {
        try CollectionMoney(
            price: Amount(minorUnits: units, currency: currency), payQuote: pay,
            promotion: { amount in promotion?.applied(to: amount) }, settlementQuote: settle, feePercent: fee)
    }

    @Test func withoutExchangeEverythingIsThePrice() throws {
        let made = try money(1_999, .hkd, fee: "1.5")
        #expect(made.payable == made.price && made.settlement == made.price)
        #expect(made.fee.minorUnits == 30)
        #expect(made.payableRounding == 0 && made.settlementRounding == 0)
    }

    @Test func theSampleQuoteTurnsYenIntoYuan() throws {
        let made = try money(200, .jpy, pay: WireQuote(quoteCurrencyPair: "392/156", quotePrice: "0.064622"))
        #expect(made.payable == Amount(minorUnits: 1_292, currency: .cny))
    }

    @Test func rupiahAreWholeAndWhatThatRoundsIsKept() throws {
        let made = try money(1_000, .sgd, pay: WireQuote(quoteCurrencyPair: "SGD/IDR", quotePrice: "11873.4567"))
        #expect(made.payable == Amount(minorUnits: 11_873_500, currency: .idr))
        #expect(made.payableRounding == 43)
    }

    @Test func anOfferIsTakenOffWhatThePersonPaysAndNotOffThePrice() throws {
        let offer = Promotion(id: "p", names: ["en_US": "10% off"], funder: .alipayPlus, percent: "10", fixed: 500)
        let made = try money(10_000, .php, promotion: offer)
        #expect(made.price.minorUnits == 10_000 && made.settlement.minorUnits == 10_000)
        #expect(made.collected.minorUnits == 9_500, "the most that is taken off is 5.00")
        #expect(try money(99, .php, promotion: Promotion(id: "p", names: [:], funder: .wallet, fixed: 99)).promotion == nil)
    }

    @Test func manySmallPartsNeverAddUpToMoreThanWasPaid() throws {
        let offer = Promotion(id: "p", names: ["en_US": "80% off"], funder: .alipayPlus, percent: "80")
        let made = try money(100, .usd, pay: WireQuote(quoteCurrencyPair: "USD/KRW", quotePrice: "1390"), promotion: offer)
        #expect(made.collected.minorUnits == 278)
        var gone = CollectionMoney.Part.none
        for number in 1...100 {
            let part = try made.part(1, after: gone)
            #expect((2...3).contains(part.payable - part.promotion), "part \(number) gives back \(part.payable - part.promotion)")
            #expect(made.owed(part).minorUnits >= 0 && part.promotion >= 0)
            gone = gone + part
        }
        #expect(gone == made.whole)
        // The three parts of one that was found by another.
        let three = try money(
            2_657, .usd, pay: WireQuote(quoteCurrencyPair: "USD/KRW", quotePrice: "66.0142"),
            promotion: Promotion(id: "p", names: ["en_US": "10% off"], funder: .alipayPlus, percent: "10"))
        var back: [Int64] = []
        gone = .none
        for units: Int64 in [1_328, 1_328, 1] {
            let part = try three.part(units, after: gone)
            back.append(part.payable - part.promotion)
            gone = gone + part
        }
        #expect(back.allSatisfy { $0 >= 0 } && back.reduce(0, +) == three.collected.minorUnits, "\(back)")
    }

    @Test func partsAreInProportionAndTheLastIsTheExactRest() throws {
        var generator = SeededGenerator(seed: StoreEngine.seed, label: "parts")
        let offer = Promotion(id: "p", names: ["en_US": "2% off"], funder: .alipayPlus, percent: "2")
        for _ in 0..<500 {
            let made = try money(
                Int64.random(in: 100...999_999, using: &generator), .sgd,
                pay: WireQuote(quoteCurrencyPair: "SGD/IDR", quotePrice: "11873.4567"),
                settle: WireQuote(quoteCurrencyPair: "SGD/USD", quotePrice: "0.74211"), promotion: offer, fee: "0.8")
            var gone = CollectionMoney.Part.none
            while gone.price < made.price.minorUnits {
                let left = made.price.minorUnits - gone.price
                let part = try made.part(Int64.random(in: 1...left, using: &generator), after: gone)
                #expect(part.payable >= 0 && part.settlement >= 0 && part.fee >= 0 && part.promotion <= part.payable)
                #expect(part.payable % 100 == 0 && part.promotion % 100 == 0, "rupiah end in 00")
                gone = gone + part
            }
            #expect(gone == made.whole)
        }
    }

    @Test func everyMoveOfAPaymentLeavesClearingAtZero() throws {
        let offer = Promotion(id: "p", names: ["en_US": "off"], funder: .acquirer, fixed: 300)
        let made = try money(
            5_000, .sgd, pay: WireQuote(quoteCurrencyPair: "SGD/IDR", quotePrice: "11873.4567"),
            settle: WireQuote(quoteCurrencyPair: "SGD/USD", quotePrice: "0.74211"), promotion: offer, fee: "1")
        let moves = CollectionBooks.moves(made.whole, of: made, wallet: "DANA", acquirer: try MerchantID("acquirer00000001"))
        var clearing: [Currency: Int64] = [:]
        for move in moves {
            for isBack in [false, true] { #expect(move.template(isBack: isBack).isBalanced) }
            if move.debit == CollectionBooks.clearing { clearing[move.amount.currency, default: 0] += move.amount.minorUnits }
            if move.credit == CollectionBooks.clearing { clearing[move.amount.currency, default: 0] -= move.amount.minorUnits }
        }
        #expect(clearing.values.allSatisfy { $0 == 0 })
        #expect(Set(moves.map(\.name)).count == moves.count)
    }

    @Test(arguments: [
        ("1", "7.1234", "7.1234000"), ("7.1234", "1", "0.14038240"), ("15925", "1", "0.000062794349"), ("0.92", "1385.5", "1505.9783"),
    ]) func aCrossRateHasEightDigits(_ from: String, _ to: String, _ price: String) throws {
        #expect(try Quotes.price(ExactDecimal(from), ExactDecimal(to)) == ExactDecimal(price))
    }
}
