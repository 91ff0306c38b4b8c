import AlipayPlus
import BillfoldMoney

/// An offer of a wallet: the person pays less, the merchant is paid in full, and somebody funds the difference
/// (alipay-plus.md#promotions [D]).
package struct Promotion: Sendable, Hashable, Codable {
    /// Who bears what is taken off.
    package enum Funder: String, Sendable, Hashable, Codable, CaseIterable {
        /// We: an expense of ours.
        case alipayPlus = "ALIPAY_PLUS"
        /// The wallet: it owes us the full amount, whatever it takes from its customer.
        case wallet = "WALLET"
        /// The acquirer: it owes us what was taken off.
        case acquirer = "ACQUIRER"
    }

    /// Our own name of it.
    package var id: String
    /// What people read, by language: `en_US` is always there.
    package var names: [String: String]
    package var funder: Funder
    /// Hundredths of the amount that are taken off, in a plain decimal; or else ``fixed``.
    package var percent: String?
    /// Taken off, in minor units of the wallet's currency; with ``percent``, the most that is.
    package var fixed: Int64?
    /// The least amount that it holds for, in minor units of the wallet's currency.
    package var minimum: Int64

    package init(id: String, names: [String: String], funder: Funder, percent: String? = nil, fixed: Int64? = nil, minimum: Int64 = 1) {
        self.id = id
        self.names = names
        self.funder = funder
        self.percent = percent
        self.fixed = fixed
        self.minimum = minimum
    }

    /// In a language, or in English.
    package func name(in language: String) -> String { names[language] ?? names["en_US"] ?? id }

    /// What it takes off; nil where it does not hold, or would take all.
    func applied(to amount: Amount) -> AppliedPromotion? {
        guard amount.minorUnits >= minimum else { return nil }
        // Rupiah end in 00 (alipay-plus.md#amounts [D]).
        let step = WireCurrency(amount.currency).multiple
        var off: Int64
        if let percent {
            // Rounded down to what the currency can say: an offer is never more than it promises.
            guard let share = try? amount.percentage(percent, rounding: .down) else { return nil }
            off = min(share.minorUnits, fixed ?? .max)
        } else {
            off = fixed ?? 0
        }
        off -= off % step
        guard off > 0, off < amount.minorUnits else { return nil }
        return AppliedPromotion(id: id, name: name(in: "en_US"), funder: funder, amount: off)
    }
}

/// What was taken off one payment.
package struct AppliedPromotion: Sendable, Hashable, Codable {
    package var id: String
    package var name: String
    package var funder: Promotion.Funder
    /// Minor units of the wallet's currency.
    package var amount: Int64

    package init(id: String, name: String, funder: Promotion.Funder, amount: Int64) {
        self.id = id
        self.name = name
        self.funder = funder
        self.amount = amount
    }
}
