import BillfoldMoney
package import BillfoldPayments
import BillfoldStorage

/// The templates by which trades are booked. Cross-border trades take two legs over the position in each of their currencies.
package enum TradeBooks {
    /// What a wallet owes us for its customers' payments.
    package static func wallet(_ id: String) -> LedgerAccount { LedgerAccount("wallet:\(id)", .asset) }
    /// What we owe a merchant.
    package static func merchant(_ id: MerchantID) -> LedgerAccount { LedgerAccount("merchant:\(id)", .liability) }
    /// What we owe somebody who gets a part of a merchant's payments.
    package static func receiver(_ id: String) -> LedgerAccount { LedgerAccount("receiver:\(id)", .liability) }
    /// What we hold of one currency for another.
    package static let position = LedgerAccount("exchange-position", .asset)
    package static let fees = LedgerAccount("fees", .income)

    /// Each is made when it is used: a booking needs two or three of them.
    struct Templates {
        private let wallet, owed: LedgerAccount

        init(wallet id: String, merchant: MerchantID) { (wallet, owed) = (TradeBooks.wallet(id), TradeBooks.merchant(merchant)) }

        var payment: PostingTemplate { PostingTemplate("trade-payment", [.debit(wallet, .amount), .credit(owed, .amount)]) }
        var walletLeg: PostingTemplate { PostingTemplate("trade-payment-wallet", [.debit(wallet, .amount), .credit(position, .amount)]) }
        var merchantLeg: PostingTemplate { PostingTemplate("trade-payment-merchant", [.debit(position, .amount), .credit(owed, .amount)]) }
        var fee: PostingTemplate { PostingTemplate("trade-fee", [.debit(owed, .amount), .credit(fees, .amount)]) }
        var refund: PostingTemplate { PostingTemplate("trade-refund", [.debit(owed, .amount), .credit(wallet, .amount)]) }
        var refundWalletLeg: PostingTemplate {
            PostingTemplate("trade-refund-wallet", [.debit(position, .amount), .credit(wallet, .amount)])
        }
        var refundMerchantLeg: PostingTemplate {
            PostingTemplate("trade-refund-merchant", [.debit(owed, .amount), .credit(position, .amount)])
        }
        var refundFee: PostingTemplate { PostingTemplate("trade-refund-fee", [.debit(fees, .amount), .credit(owed, .amount)]) }

        var payout: PostingTemplate { PostingTemplate("merchant-payout", [.debit(owed, .amount), .credit(.bank, .amount)]) }
        func payout(to receiver: String) -> PostingTemplate {
            PostingTemplate("receiver-payout", [.debit(TradeBooks.receiver(receiver), .amount), .credit(.bank, .amount)])
        }

        func split(to receiver: String) -> PostingTemplate {
            PostingTemplate("trade-split", [.debit(owed, .amount), .credit(TradeBooks.receiver(receiver), .amount)])
        }
        func refundSplit(from receiver: String) -> PostingTemplate {
            PostingTemplate("trade-refund-split", [.debit(TradeBooks.receiver(receiver), .amount), .credit(owed, .amount)])
        }

        var all: [PostingTemplate] {
            [
                payment, walletLeg, merchantLeg, fee, refund, refundWalletLeg, refundMerchantLeg, refundFee, payout,
                payout(to: "-"), split(to: "-"), refundSplit(from: "-"),
            ]
        }
    }

    /// Every template, for the test that holds them to balance.
    package static func templates(wallet: String, merchant: MerchantID) -> [PostingTemplate] {
        Templates(wallet: wallet, merchant: merchant).all
    }

    /// - Parameter shares: The receivers' accounts, each with its part in the settlement's currency.
    static func payment(of trade: Trade, shares: [(receiver: String, amount: Int64)], at now: Timestamp) throws(PaymentsError)
        -> [Statement]
    {
        let templates = Templates(wallet: trade.wallet, merchant: trade.merchant)
        var book = Book(merchant: trade.merchant, source: trade.id, at: now)
        if trade.money.payable.currency == trade.money.settlement.currency {
            try book.add(templates.payment, trade.money.payable)
        } else {
            try book.add(templates.walletLeg, trade.money.payable)
            try book.add(templates.merchantLeg, trade.money.settlement)
        }
        try book.add(templates.fee, trade.money.fee)
        for (place, share) in shares.enumerated() {
            try book.add(
                templates.split(to: share.receiver), Amount(minorUnits: share.amount, currency: trade.money.settlement.currency),
                ordinal: Int64(place))
        }
        return book.statements
    }

    static func refund(_ refund: Refund, of trade: Trade, at now: Timestamp) throws(PaymentsError) -> [Statement] {
        let templates = Templates(wallet: trade.wallet, merchant: trade.merchant)
        var book = Book(merchant: trade.merchant, source: refund.id, at: now)
        let payable = Amount(minorUnits: refund.part.payable, currency: trade.money.payable.currency)
        let settlement = Amount(minorUnits: refund.part.settlement, currency: trade.money.settlement.currency)
        if payable.currency == settlement.currency {
            try book.add(templates.refund, payable)
        } else {
            try book.add(templates.refundMerchantLeg, settlement)
            try book.add(templates.refundWalletLeg, payable)
        }
        try book.add(templates.refundFee, Amount(minorUnits: refund.part.fee, currency: trade.money.fee.currency))
        for (place, share) in refund.shares.enumerated() {
            try book.add(
                templates.refundSplit(from: share.receiver), Amount(minorUnits: share.settlement, currency: settlement.currency),
                ordinal: Int64(place))
        }
        return book.statements
    }

    static func payout(_ payout: Payout) throws(PaymentsError) -> Statement {
        let templates = Templates(wallet: "", merchant: payout.merchant)
        return try LedgerRecords.booking(
            payout.receiver.map(templates.payout(to:)) ?? templates.payout, merchant: payout.merchant, source: payout.id,
            amount: payout.amount.minorUnits, currency: payout.amount.currency, at: payout.at)
    }

    private struct Book {
        let merchant: MerchantID
        let source: TimeOrderedID
        let at: Timestamp
        var statements: [Statement] = []

        mutating func add(_ template: PostingTemplate, _ amount: Amount, ordinal: Int64 = 0) throws(PaymentsError) {
            guard !amount.isZero else { return }
            statements.append(
                try LedgerRecords.booking(
                    template, merchant: merchant, source: source, ordinal: ordinal, amount: amount.minorUnits, currency: amount.currency,
                    at: at))
        }
    }
}
