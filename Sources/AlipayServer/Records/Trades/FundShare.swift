import Alipay
import BillfoldJSON
import BillfoldMoney

/// A part of a payment that another account gets: one receiver of `split_fund_info` (alipay.md#split-payments) [D].
struct FundShare: Sendable, Hashable, Codable {
    /// `transIn`: 16 digits beginning 2088.
    var receiver: String
    /// Minor units of the price's currency.
    var amount: Int64
    /// `desc`.
    var note: String

    /// The receivers that a parameter names; `nil` where it is no such list, or names another currency.
    static func list(_ text: String?, currency: Currency, reading: AlipayReading) -> [FundShare]? {
        guard let text, !text.isEmpty else { return [] }
        guard let items = (try? AlipayJSON.read(text))?.array, (1...10).contains(items.count) else { return nil }
        var shares: [FundShare] = []
        for item in items {
            guard let receiver = item["transIn"]?.string, receiver.utf8.count == 16, receiver.hasPrefix("2088"),
                receiver.utf8.allSatisfy({ (0x30...0x39).contains($0) }), item["currency"]?.string == currency.alphabeticCode,
                let amount = item["amount"]?.scalar.flatMap({ try? Amount(alipay: $0, currency: currency, reading: reading) }),
                let note = item["desc"].map({ $0.string }) ?? "", note.unicodeScalars.count <= 100
            else { return nil }
            shares.append(FundShare(receiver: receiver, amount: amount.minorUnits, note: note))
        }
        return shares
    }
}

/// What a refund takes back from one receiver.
struct TakenShare: Sendable, Hashable, Codable {
    var receiver: String
    /// As the merchant asked: minor units of the price's currency.
    var amount: Int64
    /// As it is booked: minor units of the settlement's currency; nothing while the refund is only accepted.
    var settlement: Int64
}

extension TradeMoney {
    /// What each receiver is credited, in minor units of the settlement's currency.
    ///
    /// The sums are converted and the differences taken, so that all together never get more than the merchant [I].
    func settled(_ shares: [FundShare]) throws(MoneyError) -> [Int64] {
        guard let rate, price.currency != settlement.currency else { return shares.map(\.amount) }
        var (sum, given): (Int64, Int64) = (0, 0)
        var parts: [Int64] = []
        for share in shares {
            sum += share.amount
            let upTo = min(
                try rate.convertBack(Amount(minorUnits: sum, currency: price.currency), rounding: .halfUp).minorUnits,
                settlement.minorUnits)
            parts.append(upTo - given)
            given = upTo
        }
        return parts
    }

    /// What a refund takes back from its receivers after what earlier ones took. Refuses with `invalid-parameter` more than a receiver
    /// has left of the payment, and more than the refund itself. The last part is the exact rest.
    func takingBack(
        _ asked: [FundShare], refund price: Int64, of shares: [FundShare], after earlier: [TakenShare]
    ) throws -> [TakenShare] {
        guard asked.reduce(0, { $0 + $1.amount }) <= price else {
            throw TradeRefusal(.invalidParameter, "more is taken back from receivers than the refund gives")
        }
        let credited = try settled(shares)
        var taken: [TakenShare] = []
        for share in asked {
            let gone = (earlier + taken).filter { $0.receiver == share.receiver }
            let given = zip(shares, credited).filter { $0.0.receiver == share.receiver }
            let left = given.reduce(0) { $0 + $1.0.amount } - gone.reduce(0) { $0 + $1.amount }
            let booked = given.reduce(0) { $0 + $1.1 } - gone.reduce(0) { $0 + $1.settlement }
            guard share.amount <= left else {
                throw TradeRefusal(.invalidParameter, "a receiver has not that much of the payment left")
            }
            var settlement = share.amount
            if let rate, self.price.currency != self.settlement.currency {
                settlement = try rate.convertBack(Amount(minorUnits: share.amount, currency: self.price.currency), rounding: .halfUp)
                    .minorUnits
            }
            taken.append(
                TakenShare(
                    receiver: share.receiver, amount: share.amount, settlement: share.amount == left ? booked : min(settlement, booked)))
        }
        return taken
    }
}
