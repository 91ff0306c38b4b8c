/// One line of an order: a unit price, a quantity and a tax rate.
///
/// Every line is rounded for itself and only rounded lines are added; the total is never rounded again. The order of
/// these two steps is what a shop and its payment sheet must agree on to the last minor unit.
public struct PricedLine: Sendable, Hashable {
    public let unitAmount: Amount
    public let quantity: Int64
    /// Of the net amount: `0.13` for thirteen per cent.
    public let taxRate: Rational

    /// Refuses a negative quantity (`invalid-quantity`) and a negative tax rate (`invalid-ratio`). A discount is a
    /// negative `unitAmount`.
    public init(unitAmount: Amount, quantity: Int64, taxRate: Rational = .zero) throws(MoneyError) {
        guard quantity >= 0 else { throw MoneyError(code: .invalidQuantity, reason: "a quantity cannot be \(quantity)") }
        guard !taxRate.isNegative else { throw MoneyError(code: .invalidRatio, reason: "a tax rate cannot be \(taxRate)") }
        self.unitAmount = unitAmount
        self.quantity = quantity
        self.taxRate = taxRate
    }

    /// Unit price times quantity, exact.
    public func net() throws(MoneyError) -> Amount { try unitAmount * quantity }

    /// Tax on the line's net amount, rounded once for the line.
    public func tax(rounding: Rounding) throws(MoneyError) -> Amount {
        try net().multiplied(by: taxRate, rounding: rounding)
    }

    /// Net and tax together. Only the tax was rounded.
    public func gross(rounding: Rounding) throws(MoneyError) -> Amount { try net() + tax(rounding: rounding) }

    /// What a list of lines comes to.
    public struct Totals: Sendable, Hashable {
        public let net: Amount
        public let tax: Amount
        public let gross: Amount
    }

    /// Adds the lines, each with its tax rounded for itself. Throws `currency-mismatch` for a line of another currency; no lines come to
    /// zero.
    public static func totals(of lines: [PricedLine], currency: Currency, rounding: Rounding) throws(MoneyError) -> Totals {
        var (net, tax) = (Amount.zero(currency), Amount.zero(currency))
        for line in lines {
            try net += line.net()
            try tax += line.tax(rounding: rounding)
        }
        return Totals(net: net, tax: tax, gross: try net + tax)
    }
}
