import BillfoldMoney

/// An amount as the link carries it: `{"value":"9.12","currency":"CNY"}`, with exactly the currency's minor digits.
struct LinkAmount: Codable, Sendable, Hashable {
    var value: String
    var currency: String

    init(value: String, currency: String) {
        self.value = value
        self.currency = currency
    }

    init(_ amount: Amount) {
        value = amount.text
        currency = amount.currency.alphabeticCode
    }

    func amount() throws(MoneyError) -> Amount { try Amount(value, currency: Currency(currency), fraction: .exact) }
}
