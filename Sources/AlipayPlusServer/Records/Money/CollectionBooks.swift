package import BillfoldMoney
package import BillfoldPayments
import BillfoldStorage

/// The templates by which payments are booked, in the acquirer's books. Every one moves one amount from one account to another; in
/// each currency a payment's clearing account ends at zero.
package enum CollectionBooks {
    /// What a wallet owes us for its customers' payments.
    package static func wallet(_ type: String) -> LedgerAccount { LedgerAccount("wallet:\(type)", .asset) }
    /// What we owe an acquirer.
    package static func acquirer(_ id: MerchantID) -> LedgerAccount { LedgerAccount("acquirer:\(id)", .liability) }
    /// What was taken off and is borne by us, or owed to us by whoever funds it.
    package static func promotion(_ funder: Promotion.Funder, wallet type: String) -> LedgerAccount {
        switch funder {
        case .alipayPlus: LedgerAccount("promotion:ALIPAY_PLUS", .expense)
        case .wallet: LedgerAccount("promotion:WALLET:\(type)", .asset)
        case .acquirer: LedgerAccount("promotion:ACQUIRER", .asset)
        }
    }
    /// What we hold of one currency for another: from the merchant's currency to the other.
    package static func exchange(_ from: Currency, _ to: Currency) -> LedgerAccount { LedgerAccount("exchange:\(from)/\(to)", .asset) }
    package static let clearing = LedgerAccount("clearing", .asset)
    package static let rounding = LedgerAccount("exchange-rounding", .expense)
    package static let fees = LedgerAccount("fees", .income)

    /// One move of a payment. A refund or reversal makes it the other way round.
    struct Move {
        var name: String
        var debit: LedgerAccount
        var credit: LedgerAccount
        var amount: Amount

        func template(isBack: Bool) -> PostingTemplate {
            isBack
                ? PostingTemplate("plus-\(name)-back", [.debit(credit, .amount), .credit(debit, .amount)])
                : PostingTemplate("plus-\(name)", [.debit(debit, .amount), .credit(credit, .amount)])
        }
    }

    /// What a part of a payment moves; all of it where the payment is made or cancelled.
    static func moves(_ part: CollectionMoney.Part, of money: CollectionMoney, wallet type: String, acquirer id: MerchantID) -> [Move] {
        let (paid, charged, settled) = (money.payable.currency, money.price.currency, money.settlement.currency)
        func amount(_ units: Int64, _ currency: Currency) -> Amount { Amount(minorUnits: units, currency: currency) }
        var moves = [
            Move(name: "collected", debit: wallet(type), credit: clearing, amount: amount(part.payable - part.promotion, paid))
        ]
        if let promotion = money.promotion {
            moves.append(
                Move(
                    name: "promotion", debit: self.promotion(promotion.funder, wallet: type), credit: clearing,
                    amount: amount(part.promotion, paid)))
        }
        if paid != charged {
            let position = exchange(charged, paid)
            moves += [
                Move(
                    name: "pay-exchange", debit: clearing, credit: position, amount: amount(part.payable - part.payableRounding, paid)),
                Move(name: "pay-rounding", debit: clearing, credit: rounding, amount: amount(part.payableRounding, paid)),
                Move(name: "pay-exchanged", debit: position, credit: clearing, amount: amount(part.price, charged)),
            ]
        }
        let owed = acquirer(id)
        if settled == charged {
            moves.append(Move(name: "settled", debit: clearing, credit: owed, amount: amount(part.price, charged)))
        } else {
            let position = exchange(charged, settled)
            moves += [
                Move(name: "settle-exchange", debit: clearing, credit: position, amount: amount(part.price, charged)),
                Move(
                    name: "settle-exchanged", debit: position, credit: owed,
                    amount: amount(part.settlement - part.settlementRounding, settled)),
                Move(name: "settle-rounding", debit: rounding, credit: owed, amount: amount(part.settlementRounding, settled)),
            ]
        }
        moves.append(Move(name: "fee", debit: owed, credit: fees, amount: amount(part.fee, settled)))
        return moves.filter { !$0.amount.isZero }
    }

    /// - Parameters:
    ///   - source: The payment, or the refund.
    ///   - isBack: Whether the money goes back.
    static func statements(
        _ part: CollectionMoney.Part, of money: CollectionMoney, wallet type: String, acquirer id: MerchantID, source: TimeOrderedID,
        isBack: Bool, at now: Timestamp
    ) throws(PaymentsError) -> [Statement] {
        var statements: [Statement] = []
        for move in moves(part, of: money, wallet: type, acquirer: id) {
            statements.append(
                try LedgerRecords.booking(
                    move.template(isBack: isBack), merchant: id, source: source, amount: move.amount.minorUnits,
                    currency: move.amount.currency, at: now))
        }
        return statements
    }
}
