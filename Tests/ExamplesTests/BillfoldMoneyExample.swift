import BillfoldMoney
import Testing

struct BillfoldMoneyExample {
    @Test func example() throws {
        // Example
        let shirt = try PricedLine(
            unitAmount: Amount("19.90", currency: .cny), quantity: 3, taxRate: Rational(decimal: "0.13"))
        let post = try PricedLine(unitAmount: Amount("8.00", currency: .cny), quantity: 1)

        let totals = try PricedLine.totals(of: [shirt, post], currency: .cny, rounding: .halfUp)
        let gross = totals.gross.text  // "75.46"
        let shares = try totals.gross.split(into: 3).map(\.text)  // ["25.16", "25.15", "25.15"]

        let rate = try ExchangeRate(base: .usd, quote: .cny, rate: ExactDecimal("7.1234"), source: "quote-17")
        let dollars = try rate.convertBack(totals.gross, rounding: .up).text  // "10.60"
        // End
        #expect(gross == "75.46")
        #expect(shares == ["25.16", "25.15", "25.15"])
        #expect(dollars == "10.60")
    }
}
