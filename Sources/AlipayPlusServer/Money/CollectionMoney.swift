public import AlipayPlus
public import BillfoldMoney

/// What a payment with one wallet comes to, in the three currencies that it may touch: what the merchant charges, what the wallet pays
/// us, and what the acquirer is paid.
public struct CollectionMoney: Sendable, Hashable, Codable {
    /// `paymentAmount`: stays what it is, whatever is taken off.
    public var price: Amount
    /// `payToAmount`: the price in the wallet's currency, before its offer.
    public var payable: Amount
    /// What ``payable`` has more than the price's exact worth, rounded to the currency's smallest unit: rupiah end in 00.
    public var payableRounding: Int64
    public var payQuote: WireQuote?
    public var promotion: AppliedPromotion?
    public var settlement: Amount
    public var settlementRounding: Int64
    public var settlementQuote: WireQuote?
    /// What the gateway keeps, in the settlement's currency.
    public var fee: Amount

    /// Fixes the amounts by the quotes; one that is not needed is nil. Rounds half up to the smallest unit [O].
    public init(
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
    public var collected: Amount {
        Amount(minorUnits: payable.minorUnits - (promotion?.amount ?? 0), currency: payable.currency)
    }

    /// What a part moves between the wallet and us: what its customer pays or gets back, or all of it where the wallet funds the offer.
    public func owed(_ part: Part) -> Amount {
        let off = promotion?.funder == .wallet ? 0 : part.promotion
        return Amount(minorUnits: part.payable - off, currency: payable.currency)
    }

    /// What goes back, or went back, in minor units of the currencies above.
    public struct Part: Sendable, Hashable, Codable {
        public var price: Int64
        public var payable: Int64
        public var payableRounding: Int64
        public var promotion: Int64
        public var settlement: Int64
        public var settlementRounding: Int64
        public var fee: Int64

        public static let none = Part(
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
    public var whole: Part {
        Part(
            price: price.minorUnits, payable: payable.minorUnits, payableRounding: payableRounding, promotion: promotion?.amount ?? 0,
            settlement: settlement.minorUnits, settlementRounding: settlementRounding, fee: fee.minorUnits)
    }

    /// What goes back when that much of the price does, after what went back before: each in proportion, rounded half up to what its
    /// currency can say. The last part is the exact rest, so that nothing is left and nothing is lost.
    public func part(_ units: Int64, after gone: Part) throws(MoneyError) -> Part {
        let left = whole - gone
        guard units < left.price else { return left }
        let share = try Rational(units, price.minorUnits)
        func take(_ whole: Int64, _ left: Int64, step: Int64 = 1) throws(MoneyError) -> Int64 {
            let steps = try Amount(minorUnits: whole / step, currency: price.currency).multiplied(by: share, rounding: .halfUp)
            return min(steps.minorUnits * step, left)
        }
        let (paid, settled) = (WireCurrency(self.payable.currency).multiple, WireCurrency(settlement.currency).multiple)
        let payable = try take(self.payable.minorUnits, left.payable, step: paid)
        return Part(
            price: units, payable: payable, payableRounding: try take(payableRounding, .max),
            promotion: min(try take(promotion?.amount ?? 0, left.promotion, step: paid), payable),
            settlement: try take(settlement.minorUnits, left.settlement, step: settled),
            settlementRounding: try take(settlementRounding, .max), fee: try take(fee.minorUnits, left.fee))
    }
}
