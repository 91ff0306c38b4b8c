package import BillfoldMoney

/// What a trade costs, in the three currencies that it may touch: what the order asks for, what the payer pays (always CNY), and
/// what the merchant is credited. In a domestic trade they are one.
package struct TradeMoney: Sendable, Hashable {
    package var price: Amount
    package var payable: Amount
    package var settlement: Amount
    /// What the gateway keeps of the settlement.
    package var fee: Amount
    /// CNY for one major unit of the settlement's currency, as quoted when the trade was made; its refunds use it again.
    package var rate: ExchangeRate?

    package init(price: Amount, payable: Amount, settlement: Amount, fee: Amount, rate: ExchangeRate? = nil) {
        self.price = price
        self.payable = payable
        self.settlement = settlement
        self.fee = fee
        self.rate = rate
    }

    /// A trade in CNY alone, with a fee in hundredths of the price, rounded half up [I].
    package init(domestic price: Amount, feePercent: String) throws(MoneyError) {
        self.init(price: price, payable: price, settlement: price, fee: try price.percentage(feePercent, rounding: .halfUp))
    }

    /// A cross-border trade: the payer pays price times rate, rounded half up, or exactly the price where that is in CNY; the
    /// merchant is credited in the rate's base currency.
    package init(price: Amount, rate: ExchangeRate) throws(MoneyError) {
        let isInYuan = price.currency == rate.quote
        try self.init(
            price: price, payable: isInYuan ? price : rate.convert(price, rounding: .halfUp),
            settlement: isInYuan ? rate.convertBack(price, rounding: .halfUp) : price, fee: .zero(rate.base), rate: rate)
    }

    /// What a refund moves.
    package struct Part: Sendable, Hashable, Codable {
        /// Minor units of price, payable, settlement and fee.
        package var price: Int64
        package var payable: Int64
        package var settlement: Int64
        /// What the gateway gives back of its fee.
        package var fee: Int64

        package static let none = Part(price: 0, payable: 0, settlement: 0, fee: 0)
    }

    /// What goes back when that much of the price does, after what went back before. Each part is the trade's amounts in
    /// proportion, rounded half up; the last one is the exact rest, so that nothing is left and nothing is lost.
    package func refund(_ part: Int64, after refunded: Part) throws(MoneyError) -> Part {
        guard part < price.minorUnits - refunded.price else {
            return Part(
                price: price.minorUnits - refunded.price, payable: payable.minorUnits - refunded.payable,
                settlement: settlement.minorUnits - refunded.settlement, fee: fee.minorUnits - refunded.fee)
        }
        let share = try Rational(part, price.minorUnits)
        func take(_ whole: Amount, _ gone: Int64) throws(MoneyError) -> Int64 {
            min(try whole.multiplied(by: share, rounding: .halfUp).minorUnits, whole.minorUnits - gone)
        }
        return Part(
            price: part, payable: try take(payable, refunded.payable), settlement: try take(settlement, refunded.settlement),
            fee: try take(fee, refunded.fee))
    }
}
