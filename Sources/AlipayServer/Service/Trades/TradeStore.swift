import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Applies events to trades: reads, decides by the pure state machine, and writes state, postings, deadlines, notifications and audit
/// together, until the write follows what was read.
struct TradeStore: Sendable {
    /// Close the trade when its time to be paid ends.
    static let expiry = "alipay-expiry"
    /// Finish the trade when it cannot be refunded any more.
    static let refundWindow = "alipay-refund-window"
    /// Book an accepted refund.
    static let acceptedRefund = "alipay-accepted-refund"

    let audit: AuditChain
    let composer: NotificationComposer
    let identifiers: IdentifierSource
    let refundWindowLength: Duration

    /// A change of a trade and what belongs to it.
    struct Change {
        var event: TradeEvent
        var actor: String
        /// The payment's facts, for ``TradeEvent/paid``.
        var payment: (request: String, funds: [Trade.Fund])?
        var refund: RefundWish?
        /// Until when the delivery of the trade's notification is left to the request that makes the change; nil leaves it to the workers.
        var lease: Timestamp?
    }

    /// A trade after a change.
    struct Applied: Sendable {
        var trade: Trade
        var refund: Refund?
        /// Whether this call changed it.
        var advanced: Bool
        /// The notification of the trade that this call stored.
        var notification: OwedNotification?
    }

    struct RefundWish {
        var requestNo: String
        /// Drawn outside the write, so that a write whose answer was lost knows its refund again.
        var id: TimeOrderedID
        var route: RefundRoute
        var reason: String
        /// What it takes back from receivers of a split payment, as the merchant asks.
        var shares: [FundShare] = []
        /// What has to lie between two refunds.
        var spacing: Duration = .zero
        /// The refund that was accepted before, where there is one.
        var accepted: Refund?
    }

    /// Stores a new trade and arms its end, or returns the one that the merchant's number stands for already.
    func begin(_ trade: Trade, in tx: any Transaction) throws -> (trade: Trade, isNew: Bool) {
        for attempt in 0..<8 {
            var trade = trade
            // A trade number that somebody has is drawn again.
            if attempt > 0 { trade.tradeNo = TradeNumber.make(at: trade.createdAt, using: identifiers) }
            let row = audit.extend(
                trade.auditChain, from: &trade.auditHead, at: trade.createdAt,
                actor: trade.wallet.isEmpty ? "merchant:\(trade.merchant)" : "wallet:\(trade.wallet)", action: "made",
                object: trade.tradeNo, result: trade.status.rawValue)
            if try TradeRecords.insert(trade, in: tx) {
                try tx.executeBatch([
                    AuditRecords.insertion(row, merchant: trade.merchant),
                    DeadlineRecords.arming(
                        Deadline(merchant: trade.merchant, subject: trade.id, kind: Self.expiry, dueAt: trade.expiresAt)),
                ])
                return (trade, true)
            }
            if let found = try TradeRecords.find(outTradeNo: trade.outTradeNo, merchant: trade.merchant, in: tx) { return (found, false) }
        }
        throw PaymentsError(code: .contended, reason: "no free trade number was found")
    }

    /// The buyer of a trade that its merchant made has come, and with it the wallet.
    func adopt(_ trade: Trade, by wallet: String, _ buyer: Trade.Buyer, at now: Timestamp, in tx: any Transaction) throws -> Trade {
        var trade = trade
        trade.wallet = wallet
        trade.buyer = buyer
        trade.updatedAt = now
        let row = audit.extend(
            trade.auditChain, from: &trade.auditHead, at: now, actor: "wallet:\(wallet)", action: "taken-up",
            object: trade.tradeNo, result: trade.status.rawValue)
        guard try TradeRecords.adopt(trade, in: tx) else {
            throw PaymentsError(code: .contended, reason: "the trade changed while its buyer came")
        }
        trade.version += 1
        try tx.executeBatch([AuditRecords.insertion(row, merchant: trade.merchant)])
        return trade
    }

    /// The payer has come back to a trade with another string of the same order: its result and its notifications go by that one.
    func show(_ order: TimeOrderedID, as trade: Trade, at now: Timestamp, in tx: any Transaction) throws -> Trade {
        var trade = trade
        trade.order = order
        trade.updatedAt = now
        let row = audit.extend(
            trade.auditChain, from: &trade.auditHead, at: now, actor: "wallet:\(trade.wallet)", action: "shown-again",
            object: trade.tradeNo, result: order.description)
        guard try TradeRecords.update(trade, in: tx) else {
            throw PaymentsError(code: .contended, reason: "the trade changed while its order was shown again")
        }
        trade.version += 1
        try tx.executeBatch([AuditRecords.insertion(row, merchant: trade.merchant)])
        return trade
    }

    /// Applies one event. Throws ``TradeRefusal`` where it does not fit, and then has changed nothing.
    ///
    /// - Parameter known: The trade and its order as they were read before, where they were. They need not be of this transaction: a change
    ///   is made of the trade as it is. A refusal, though, may be of the trade as it was, and the caller reads it anew before believing
    ///   one.
    func apply(
        _ change: Change, to id: TimeOrderedID, merchant: MerchantID, seller: Seller, at now: Timestamp,
        reading known: (trade: Trade, order: TradeOrder)? = nil, in tx: any Transaction
    ) throws -> Applied {
        try apply(to: id, merchant: merchant, seller: seller, at: now, reading: known, in: tx) { _ in change }
    }

    /// Applies what is decided by the trade as it is when it is changed; `nil` changes nothing.
    func apply(
        to id: TimeOrderedID, merchant: MerchantID, seller: Seller, at now: Timestamp,
        reading known: (trade: Trade, order: TradeOrder)? = nil, in tx: any Transaction, deciding: (Trade) throws -> Change?
    ) throws -> Applied {
        try tx.changing("the trade") { isFirst in
            let held = isFirst ? known : nil
            guard let found = try held?.trade ?? TradeRecords.find(id, merchant: merchant, in: tx) else {
                throw TradeRefusal(.tradeNotFound, "the merchant has no such trade")
            }
            guard let change = try deciding(found) else { return Applied(trade: found, advanced: false) }
            if let wish = change.refund, wish.accepted == nil,
                let known = try RefundRecords.find(wish.requestNo, trade: id, merchant: merchant, in: tx)
            {
                return Applied(trade: found, refund: try Self.same(known, as: change), advanced: false)
            }
            if let wish = change.refund, wish.spacing > .zero, let last = found.refundedAt, now < last.advanced(by: wish.spacing) {
                throw TradeRefusal(.tooSoon, "the trade's last refund was a moment ago: wait and ask again")
            }
            let transition = found.standing.apply(change.event)
            switch transition.disposition {
            case .refused(let code): throw TradeRefusal(code, Self.reason(code, for: change.event, of: found))
            case .unchanged: return Applied(trade: found, advanced: false)
            case .advanced: break
            }
            var trade = found
            trade.status = transition.standing.status
            trade.updatedAt = now
            var refund = try settle(&trade, after: transition, by: change, at: now)
            if let wish = change.refund, let part = refund?.part.price {
                refund?.shares = try Self.takeBack(wish, price: part, of: found, in: tx)
            }
            // Before the trade's own row: whoever decides several trades in one write goes on behind a refusal.
            let currency = trade.money.settlement.currency
            if let refund, let receiver = try SellerBalanceRecords.missing(refund.shares, currency, of: trade.merchant, in: tx) {
                throw TradeRefusal(.sellerBalanceNotEnough, "the balance of \(receiver) does not hold what is to be taken back from it")
            }
            if let refund, try !SellerBalanceRecords.take(refund.takenFromSeller(currency), of: trade.merchant, in: tx) {
                throw TradeRefusal(.sellerBalanceNotEnough, "the merchant's balance does not hold what is to be given back")
            }
            let row = audit.extend(
                trade.auditChain, from: &trade.auditHead, at: now, actor: change.actor, action: change.event.name,
                object: trade.tradeNo, result: "\(found.status.rawValue) > \(trade.status.rawValue)")
            guard try TradeRecords.update(trade, in: tx) else { return nil }
            trade.version += 1
            let told = try follow(
                trade, order: held?.order, transition: transition, refund: refund, change: change, seller: seller, row: row, at: now,
                in: tx)
            return Applied(trade: trade, refund: refund, advanced: true, notification: told)
        }
    }

    private static func reason(_ code: TradeRefusal.Code, for event: TradeEvent, of trade: Trade) -> String {
        guard code == .refundExceedsPayment, case .refunded(let price, _) = event else {
            return "a trade that is \(trade.status.rawValue) does not take this"
        }
        func text(_ minorUnits: Int64) -> String { Amount(minorUnits: minorUnits, currency: trade.money.price.currency).description }
        return
            "\(text(price)) is asked for, and \(text(trade.money.price.minorUnits - trade.refunded.price)) of the trade is left to refund"
    }

    /// The same number is the same refund, if it asks for the same amount (alipay.md#refunds) [D].
    private static func same(_ known: Refund, as change: Change) throws(TradeRefusal) -> Refund {
        guard case .refunded(let price, _) = change.event, known.part.price == price,
            known.isTaking(change.refund?.shares ?? [])
        else { throw TradeRefusal(.refundDiscordant, "the request number stands for a refund of another amount") }
        return known
    }

    /// What the receivers of a split payment give back. The trade's version, which every refund raises, keeps what was read true.
    private static func takeBack(_ wish: RefundWish, price: Int64, of trade: Trade, in tx: any Transaction) throws -> [TakenShare] {
        guard !wish.shares.isEmpty else { return [] }
        let earlier = try RefundRecords.all(of: trade.id, merchant: trade.merchant, in: tx).filter { $0.bookedAt != nil }
        return try trade.money.takingBack(
            wish.shares, refund: price, of: try TradeOrderRecords.order(of: trade, in: tx).detail.shares ?? [],
            after: earlier.flatMap(\.shares))
    }

    /// Fills in what the event's money comes to.
    private func settle(_ trade: inout Trade, after transition: TradeTransition, by change: Change, at now: Timestamp) throws -> Refund? {
        if trade.status == .closed { trade.closedAt = trade.closedAt ?? now }
        switch transition.money {
        case .pay?:
            trade.paidAt = now
            trade.paymentRequest = change.payment?.request
            trade.funds = change.payment?.funds ?? []
            return nil
        case .giveBack(let price)?:
            guard let wish = change.refund else {
                throw PaymentsError(code: .wrongState, reason: "a refund without a request number")
            }
            let part = try trade.money.refund(price, after: trade.refunded)
            trade.refunded.price += part.price
            trade.refunded.payable += part.payable
            trade.refunded.settlement += part.settlement
            trade.refunded.fee += part.fee
            trade.refundedAt = now
            var refund =
                wish.accepted
                ?? Refund(
                    merchant: trade.merchant, trade: trade.id, requestNo: wish.requestNo, id: wish.id,
                    route: wish.route, state: .booked, part: part, reason: wish.reason, wallet: trade.wallet, createdAt: now)
            refund.state = part.payable == 0 ? .credited : .booked
            refund.part = part
            refund.bookedAt = now
            refund.creditedAt = part.payable == 0 ? now : nil
            return refund
        case nil: return nil
        }
    }

    /// Writes what follows from a change that holds, and returns the trade's notification.
    private func follow(
        _ trade: Trade, order: TradeOrder?, transition: TradeTransition, refund: Refund?, change: Change, seller: Seller,
        row: AuditRow, at now: Timestamp, in tx: any Transaction
    ) throws -> OwedNotification? {
        var statements = [AuditRecords.insertion(row, merchant: trade.merchant)]
        if change.event == .paid || trade.status == .closed {
            statements.append(DeadlineRecords.disarming(Self.expiry, subject: trade.id, merchant: trade.merchant))
        }
        if trade.status == .closed || trade.status == .finished {
            statements.append(DeadlineRecords.disarming(Self.refundWindow, subject: trade.id, merchant: trade.merchant))
        }
        let order = try order ?? TradeOrderRecords.order(of: trade, in: tx)
        if transition.money == .pay {
            let shares = order.detail.shares ?? []
            let parts = zip(shares, try trade.money.settled(shares)).map { (receiver: $0.receiver, amount: $1) }
            statements += try TradeBooks.payment(of: trade, shares: parts, at: now)
            try SellerBalanceRecords.split(
                parts.reduce(0) { $0 + $1.amount }, trade.money.settlement.currency, of: trade.merchant, in: tx)
            if trade.status == .success {
                statements.append(
                    DeadlineRecords.arming(
                        Deadline(
                            merchant: trade.merchant, subject: trade.id, kind: Self.refundWindow,
                            dueAt: now.advanced(by: refundWindowLength))))
            }
        }
        if let refund {
            let isStored =
                change.refund?.accepted == nil ? try RefundRecords.insert(refund, in: tx) : try RefundRecords.settle(refund, in: tx)
            guard isStored else { throw PaymentsError(code: .contended, reason: "the refund was stored twice") }
            statements += try TradeBooks.refund(refund, of: trade, at: now)
            // A part that rounds to nothing in CNY is nothing to credit.
            if refund.state == .booked { statements.append(OutboxRecords.insertion(try WalletRefund.message(refund, of: trade, at: now))) }
        }
        var told: OwedNotification?
        if transition.notifies {
            // The short cross-border set says nothing of refunds: it would read as a second payment.
            if refund == nil || trade.product == .domestic,
                let owed = try composer.trade(trade, order, refund: refund, seller: seller, leasedUntil: change.lease, at: now)
            {
                statements += owed.statements
                told = owed
            }
            if let refund { statements += try composer.refund(refund, of: trade, order, at: now)?.statements ?? [] }
        }
        try tx.executeBatch(statements)
        return told
    }
}
