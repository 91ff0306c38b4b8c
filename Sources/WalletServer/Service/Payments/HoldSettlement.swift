import BillfoldPayments
import BillfoldStorage
import Logging

/// What a word on a payment moves: the hold, the balance, the ledger and the checkout, in one transaction.
enum HoldSettlement {
    /// Books what was said of a payment, once, and ends its checkout. A word against what is booked moves nothing and is kept for a
    /// person.
    ///
    /// Returns false, having changed nothing, where the payment's row is gone: a failover can lose it. Throws `contended` where another
    /// process settles it at this moment.
    @discardableResult
    static func settle(
        _ id: TimeOrderedID, _ event: HoldState.Event, receipt: OrderGatewayLink.Receipt?, note: String, at now: Timestamp,
        context: WalletContext, in tx: any Transaction
    ) throws -> Bool {
        guard let hold = try HoldRecords.find(id, in: tx) else { return false }
        guard let account = try AccountRecords.find(hold.account, in: tx),
            let checkout = try CheckoutRecords.find(hold.checkout, in: tx)
        else { throw WalletError(code: .corruptRecord, reason: "a payment's account or checkout is gone") }
        switch hold.state.apply(event) {
        case .known: break
        case .contradiction:
            context.logger.critical(
                "the gateway contradicts itself about a payment",
                metadata: ["payment": "\(hold.id)", "booked": "\(hold.state.rawValue)", "said": "\(event.rawValue)"])
            context.count("wallet_contradictions_total")
            try HoldRecords.noteContradiction(event, of: hold.id, in: tx)
        case .move(let state, let booking):
            guard try HoldRecords.settle(id, state, paidAt: receipt?.paidAt, note: note, in: tx) else {
                throw PaymentsError(code: .contended, reason: "the payment is being settled")
            }
            let isMoved =
                switch state {
                case .captured: try BalanceRecords.capture(hold.amount, hold.account, in: tx)
                case .released, .held: try BalanceRecords.release(hold.amount, hold.account, in: tx)
                }
            guard isMoved else { throw WalletError(code: .corruptRecord, reason: "less is held than a payment set aside") }
            try booking.book(
                hold.amount, customer: account.number, source: id, owner: context.configuration.owner, at: now, in: tx)
            let texts = WalletTexts(checkout.language ?? .english)
            // Without the gateway's signed text the client asks its merchant.
            // Where another payment of the trade was taken, perhaps one that a failover lost here, the order has not failed.
            let isPaid = event == .accepted || note == OrderGatewayLink.alreadyPaid
            let result = isPaid ? receipt?.result ?? .processing(texts) : .failed(texts)
            try CheckoutRecords.end(checkout.id, by: .settled, result, in: tx)
        }
        return true
    }
}
