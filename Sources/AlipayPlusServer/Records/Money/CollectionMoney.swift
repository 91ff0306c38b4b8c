package import AlipayPlus
package import BillfoldMoney

/// What a payment with one wallet comes to, in the three currencies that it may touch: what the merchant charges, what the wallet pays
/// us, and what the acquirer is paid.
package struct CollectionMoney: Sendable, Hashable, Codable {
    /// `paymentAmount`: stays what it is, whatever is taken off.
    package var price: Amount
    /// `payToAmount`: the price in the wallet's currency, before its offer.
    package var payable: Amount
    /// What ``payable`` has more than the price's exact worth, rounded to the currency's smallest unit: rupiah end in 00.
    package var payableRounding: Int64
    package var payQuote: WireQuote?
    package var promotion: AppliedPromotion?
    package var settlement: Amount
    package var settlementRounding: Int64
    package var settlementQuote: WireQuote?
    /// What the gateway keeps, in the settlement's currency.
    package var fee: Amount

    /// Fixes the amounts by the quotes; one that is not needed is nil. Rounds half up to the smallest unit [O].
    package init(
        price: Amount, payQuote: WireQuote?, promotion: (Amount) -> AppliedPromotion?, settlementQuote: WireQuote?, feePercent: String
    ) throws {
        self.price = price
        self.payQuote = payQuote
        self.settlementQuote = settlementQuote
        (payable, payableRounding) = try Self.exchanged(price, payQuote)
        self.promotion = promotion(payable)
        (settlement, settlementRounding) = try Self.exchanged(price, settlementQuote)
        fee = try settlement.percentage(feePercent, rounding: .halfUp)
    }

    private static func exchanged(_ amount: Amount, _ quote: WireQuote?) throws -> (Amount, Int64) {
        guard let quote else { return (amount, 0) }
        let written = try quote.convert(amount)
        let rate = try quote.rate()
        let plain =
            rate.base == amount.currency ? try rate.convert(amount, rounding: .halfUp) : try rate.convertBack(amount, rounding: .halfUp)
        return (written, written.minorUnits - plain.minorUnits)
    }

    /// What the wallet's customer pays.
    package var collected: Amount {
        Amount(minorUnits: payable.minorUnits - (promotion?.amount ?? 0), currency: payable.currency)
    }

    /// What a part moves between the wallet and us: what its customer pays or gets back, or all of it where the wallet funds the offer.
    package func owed(_ part: Part) -> Amount {
        let off = promotion?.funder == .wallet ? 0 : part.promotion
        return Amount(minorUnits: part.payable - off, currency: payable.currency)
    }

    /// What goes back, or went back, in minor units of the currencies above.
    package struct Part: Sendable, Hashable, Codable {
        package var price: Int64
        package var payable: Int64
        package var payableRounding: Int64
        package var promotion: Int64
        package var settlement: Int64
        package var settlementRounding: Int64
        package var fee: Int64

        package static let none = Part(
            price: 0, payable: 0, payableRounding: 0, promotion: 0, settlement: 0, settlementRounding: 0, fee: 0)

        static func + (a: Part, b: Part) -> Part {
            Part(
                price: a.price + b.price, payable: a.payable + b.payable, payableRounding: a.payableRounding + b.payableRounding,
                promotion: a.promotion + b.promotion, settlement: a.settlement + b.settlement,
                settlementRounding: a.settlementRounding + b.settlementRounding, fee: a.fee + b.fee)
        }

        static func - (a: Part, b: Part) -> Part {
            Part(
                price: a.price - b.price, payable: a.payable - b.payable, payableRounding: a.payableRounding - b.payableRounding,
                promotion: a.promotion - b.promotion, settlement: a.settlement - b.settlement,
                settlementRounding: a.settlementRounding - b.settlementRounding, fee: a.fee - b.fee)
        }
    }

    /// All of it.
    package var whole: Part {
        Part(
            price: price.minorUnits, payable: payable.minorUnits, payableRounding: payableRounding, promotion: promotion?.amount ?? 0,
            settlement: settlement.minorUnits, settlementRounding: settlementRounding, fee: fee.minorUnits)
    }

    /// What goes back when that much of the price does, after what went back before: all that is due by then, each in proportion and rounded
    /// half up to what its currency can say, less what is gone. So no rounding adds up over many parts, none is negative, and the last is
    /// the exact rest. The fee comes back by its part alone, which an acquirer can tell without the others, until it is all back.
    package func part(_ units: Int64, after gone: Part) throws(MoneyError) -> Part {
        let left = whole - gone
        guard units < left.price else { return left }
        let share = try Rational(gone.price + units, price.minorUnits)
        /// Zero where more is gone already: a part between that came back leaves that behind.
        func due(_ whole: Int64, after gone: Int64, step: Int64 = 1) throws(MoneyError) -> Int64 {
            let steps = try Amount(minorUnits: whole / step, currency: price.currency).multiplied(by: share, rounding: .halfUp)
            let (due, left) = (steps.minorUnits * step - gone, whole - gone)
            return left < 0 ? min(0, max(due, left)) : max(0, min(due, left))
        }
        let (paid, settled) = (WireCurrency(payable.currency).multiple, WireCurrency(settlement.currency).multiple)
        // What the customer gets and what was taken off are rounded apart, so that neither is negative.
        let back = try due(collected.minorUnits, after: gone.payable - gone.promotion, step: paid)
        let off = try due(whole.promotion, after: gone.promotion, step: paid)
        return Part(
            price: units, payable: back + off, payableRounding: try due(payableRounding, after: gone.payableRounding), promotion: off,
            settlement: try due(settlement.minorUnits, after: gone.settlement, step: settled),
            settlementRounding: try due(settlementRounding, after: gone.settlementRounding),
            fee: min(try fee.multiplied(by: Rational(units, price.minorUnits), rounding: .halfUp).minorUnits, left.fee))
    }
}
