import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What a merchant can do with its trades, for both generations: each write is one transaction, and each refusal is a
/// ``TradeRefusal``.
struct TradeService: Sendable {
    let context: AlipayServerContext

    /// How a merchant names a trade; the gateway's number wins (alipay.md#open-platform-calls) [D].
    struct Name: Sendable {
        var tradeNo: String?
        var outTradeNo: String?
    }

    struct Asked: Sendable {
        var trade: Trade
        var order: TradeOrder
    }

    private static let notFound = TradeRefusal(.tradeNotFound, "the merchant has no such trade")

    /// Another merchant's trade is answered as none.
    private static func find(_ name: Name, _ merchant: MerchantID, in tx: any Transaction) throws -> Trade {
        let found: Trade?
        if let number = name.tradeNo {
            found = TradeNumber.isPlausible(number) ? try TradeRecords.find(tradeNo: number, in: tx) : nil
        } else if let number = name.outTradeNo {
            found = try TradeRecords.find(outTradeNo: number, merchant: merchant, in: tx)
        } else {
            throw TradeRefusal(.invalidParameter, "trade_no or out_trade_no is due")
        }
        guard let found, found.merchant == merchant else { throw notFound }
        return found
    }

    func query(_ name: Name, of merchant: AlipayMerchant) async throws -> Asked {
        let now = context.clock.now()
        let found = try await context.database.lookup { try Self.find(name, merchant.partner, in: $0) }
        let asked = Asked(trade: found, order: try await context.orders.order(of: found))
        // The worker closes it in a moment; nobody is told otherwise until then.
        guard asked.trade.status == .waitBuyerPay, asked.trade.expiresAt <= now else { return asked }
        let trade = try await context.database.writeRepeatably { [context] tx in
            try context.store.apply(
                .init(event: .expired, actor: "system"), to: asked.trade.id, merchant: merchant.partner, seller: merchant.seller, at: now,
                in: tx
            ).trade
        }
        return Asked(trade: trade, order: asked.order)
    }

    func close(_ name: Name, of merchant: AlipayMerchant) async throws -> Trade {
        let now = context.clock.now()
        let trade = try await context.database.write(
            // The commit's answer was lost: a trade that is closed unpaid is what was asked for, and running again would refuse it.
            resolve: { tx -> Trade? in
                let trade = try Self.find(name, merchant.partner, in: tx)
                return trade.status == .closed && trade.paidAt == nil ? trade : nil
            },
            { [context] tx -> Trade in
                let trade = try Self.find(name, merchant.partner, in: tx)
                return try context.store.apply(
                    .init(event: .closed, actor: "merchant:\(merchant.partner)"), to: trade.id, merchant: merchant.partner,
                    seller: merchant.seller, at: now, in: tx
                ).trade
            })
        told("closed", trade)
        return trade
    }

    enum Cancelled: String, Sendable {
        case close, refund
    }

    /// Unpaid, it is closed; paid, all of it is given back (alipay.md#cancelling) [D], whichever it is at the moment of the change. Doing
    /// it again changes nothing and says the same. A trade of which a refund gave something back is not cancelled
    /// (`refund-exceeds-payment`), and none that was paid longer ago than the window (`cancel-timed-out`).
    func cancel(_ name: Name, of merchant: AlipayMerchant) async throws -> (trade: Trade, action: Cancelled) {
        let now = context.clock.now()
        let trade = try await context.database.writeRepeatably { [context] tx in
            let trade = try Self.find(name, merchant.partner, in: tx)
            return try context.store.apply(
                to: trade.id, merchant: merchant.partner, seller: merchant.seller, at: now, in: tx
            ) { try Self.cancellation(of: $0, context, at: now, in: tx) }.trade
        }
        let action: Cancelled = trade.paidAt == nil ? .close : .refund
        told(action == .close ? "closed" : "refunded", trade)
        return (trade, action)
    }

    private static func cancellation(
        of trade: Trade, _ context: AlipayServerContext, at now: Timestamp, in tx: any Transaction
    ) throws -> TradeStore.Change? {
        let actor = "merchant:\(trade.merchant)"
        switch trade.status {
        case .waitBuyerPay: return .init(event: .closed, actor: actor)
        case .closed where trade.paidAt == nil: return nil
        case .finished: throw TradeRefusal(.tradeFinished, "a finished trade is not cancelled")
        case .pending: throw TradeRefusal(.cancelNotAllowed, "a trade whose money the seller has not received is not cancelled")
        case .closed, .success:
            guard trade.refunded.price == 0 else {
                let refunds = try RefundRecords.all(of: trade.id, merchant: trade.merchant, in: tx)
                if refunds.contains(where: { $0.route == .cancel }) { return nil }
                throw TradeRefusal(.refundExceedsPayment, "a refund gave back some of it already: it is not cancelled as a whole")
            }
            if let paidAt = trade.paidAt, now >= paidAt.advanced(by: context.configuration.cancelWindow) {
                throw TradeRefusal(.cancelTimedOut, "the trade was paid too long ago to be cancelled: refund it")
            }
            let id = context.cancellation(of: trade)
            return .init(
                event: .refunded(price: trade.money.price.minorUnits, route: .cancel), actor: actor,
                // No merchant has a refund of this number.
                refund: .init(requestNo: "cancel-\(id)", id: id, route: .cancel, reason: "cancelled"))
        }
    }

    struct RefundRequest: Sendable {
        var name: Name
        var amount: Amount
        /// Without one the amount has to be the whole price.
        var requestNo: String?
        var route: RefundRoute
        var reason: String
        /// What is taken back from receivers of a split payment.
        var shares: [FundShare] = []
        var notifyURL: String?
    }

    struct Refunded: Sendable {
        var trade: Trade
        var refund: Refund
        /// Whether this call moved the money.
        var moved: Bool
    }

    /// Books a refund: the money leaves the merchant's balance now, and the payer's wallet credits it as soon as it is told. One that was
    /// only accepted so far is decided here and now.
    func refund(_ request: RefundRequest, of merchant: AlipayMerchant) async throws -> Refunded {
        let now = context.clock.now()
        let moving = Latest<TimeOrderedID>()
        var done = try await context.database.writeRepeatably { [context] tx -> Result<Refunded, TradeRefusal> in
            let trade = try Self.find(request.name, merchant.partner, in: tx)
            let result = try Self.refund(request, of: trade, merchant: merchant, context: context, at: now, in: tx)
            if case .success(let done) = result, done.moved { moving.set(done.refund.id) }
            return result
        }.get()
        // This call moved it, and the answer to its commit was lost.
        done.moved = done.moved || moving.value == done.refund.id
        if done.moved { told("refunded", done.trade) }
        return done
    }

    /// A failure is returned where it has to be stored.
    static func refund(
        _ request: RefundRequest, of trade: Trade, merchant: AlipayMerchant, context: AlipayServerContext,
        at now: Timestamp, in tx: any Transaction
    ) throws -> Result<Refunded, TradeRefusal> {
        let (number, price) = try Self.wanted(request, trade)
        if let known = try Self.known(number, price: price, shares: request.shares, of: trade, in: tx), known.state == .accepted {
            return try settle(known, of: trade, merchant: merchant, context: context, at: now, in: tx)
        }
        let applied = try context.store.apply(
            .init(
                event: .refunded(price: price, route: request.route), actor: "merchant:\(merchant.partner)",
                refund: .init(
                    requestNo: number, id: context.refund(number, of: trade), route: request.route, reason: request.reason,
                    shares: request.shares, spacing: merchant.refundSpacing)),
            to: trade.id, merchant: merchant.partner, seller: merchant.seller, at: now, in: tx)
        guard let refund = applied.refund else { throw TradeRefusal(.statusInvalid, "the trade takes no refund") }
        if refund.state == .failed { throw TradeRefusal(failed: refund) }
        return .success(Refunded(trade: applied.trade, refund: refund, moved: applied.advanced))
    }

    /// The refund that a number stands for within a trade. Refuses `refund-discordant` where it is of another amount.
    private static func known(
        _ number: String, price: Int64, shares: [FundShare], of trade: Trade, in tx: any Transaction
    ) throws -> Refund? {
        guard let known = try RefundRecords.find(number, trade: trade.id, merchant: trade.merchant, in: tx) else { return nil }
        guard known.part.price == price, known.isTaking(shares) else {
            throw TradeRefusal(.refundDiscordant, "the request number stands for a refund of another amount")
        }
        return known
    }

    /// Checks what does not need the trade's row to stand still.
    private static func wanted(_ request: RefundRequest, _ trade: Trade) throws(TradeRefusal) -> (number: String, price: Int64) {
        guard request.amount.currency == trade.money.price.currency else {
            throw TradeRefusal(.invalidParameter, "the refund is in \(trade.money.price.currency), as the order was")
        }
        if request.requestNo == nil, request.amount != trade.money.price {
            throw TradeRefusal(.refundNotWhole, "a part of the amount needs a request number")
        }
        // As the real one does, the number of a whole refund without one is the order's own [I].
        return (request.requestNo ?? trade.outTradeNo, request.amount.minorUnits)
    }

    /// Accepts a refund whose outcome comes by notification (`forex_refund` with `is_sync=N`): to the address of the call, or else to the
    /// order's. One that has failed is refused with its own error, for nothing would ever come of it.
    func accept(_ request: RefundRequest, of merchant: AlipayMerchant) async throws {
        let now = context.clock.now()
        try await context.database.writeRepeatably { [context] tx in
            let trade = try Self.find(request.name, merchant.partner, in: tx)
            let (number, price) = try Self.wanted(request, trade)
            let id = context.refund(number, of: trade)
            if let known = try Self.known(number, price: price, shares: request.shares, of: trade, in: tx) {
                if known.state == .failed { throw TradeRefusal(failed: known) }
                return
            }
            let last =
                merchant.refundPacing == nil
                ? nil : try RefundRecords.all(of: trade.id, merchant: merchant.partner, in: tx).map(\.createdAt).max()
            if let last, now < last.advanced(by: merchant.refundSpacing) {
                throw TradeRefusal(.tooSoon, "the trade's last refund was a moment ago: wait and ask again")
            }
            let part = TradeMoney.Part(price: price, payable: 0, settlement: 0, fee: 0)
            let address = try request.notifyURL ?? TradeOrderRecords.order(of: trade, in: tx).detail.notifyURL
            let refund = Refund(
                merchant: merchant.partner, trade: trade.id, requestNo: number, id: id, route: request.route, state: .accepted, part: part,
                reason: request.reason, notifyURL: address,
                shares: request.shares.map { TakenShare(receiver: $0.receiver, amount: $0.amount, settlement: 0) }, wallet: trade.wallet,
                createdAt: now)
            guard try RefundRecords.insert(refund, in: tx) else {
                throw PaymentsError(code: .contended, reason: "the refund was accepted by another request: ask again")
            }
            try tx.executeBatch([
                DeadlineRecords.arming(
                    Deadline(merchant: merchant.partner, subject: id, kind: TradeStore.acceptedRefund, dueAt: now))
            ])
        }
    }

    /// Books an accepted refund, or tells that it failed.
    func settleAccepted(_ id: TimeOrderedID, merchant: AlipayMerchant) async throws {
        let now = context.clock.now()
        try await context.database.writeRepeatably { [context] tx in
            guard let refund = try RefundRecords.find(id, merchant: merchant.partner, in: tx), refund.state == .accepted,
                let trade = try TradeRecords.find(refund.trade, merchant: merchant.partner, in: tx)
            else { return }
            _ = try Self.settle(refund, of: trade, merchant: merchant, context: context, at: now, in: tx)
        }
    }

    private static func settle(
        _ accepted: Refund, of trade: Trade, merchant: AlipayMerchant, context: AlipayServerContext, at now: Timestamp,
        in tx: any Transaction
    ) throws -> Result<Refunded, TradeRefusal> {
        do {
            let applied = try context.store.apply(
                .init(
                    event: .refunded(price: accepted.part.price, route: accepted.route), actor: "system",
                    refund: .init(
                        requestNo: accepted.requestNo, id: accepted.id, route: accepted.route, reason: accepted.reason,
                        shares: accepted.shares.map { FundShare(receiver: $0.receiver, amount: $0.amount, note: "") }, accepted: accepted)),
                to: trade.id, merchant: merchant.partner, seller: merchant.seller, at: now, in: tx)
            guard let refund = applied.refund else { throw TradeRefusal(.statusInvalid, "the trade takes no refund") }
            return .success(Refunded(trade: applied.trade, refund: refund, moved: true))
        } catch let refusal as TradeRefusal {
            var failed = accepted
            failed.state = .failed
            failed.failure = refusal.legacyError
            guard try RefundRecords.settle(failed, in: tx) else {
                throw PaymentsError(code: .contended, reason: "the refund was settled by another request: ask again")
            }
            let order = try TradeOrderRecords.order(of: trade, in: tx)
            try tx.executeBatch(context.store.composer.refund(failed, of: trade, order, at: now)?.statements ?? [])
            return .failure(refusal)
        }
    }

    func refunds(_ name: Name, of merchant: AlipayMerchant) async throws -> (trade: Trade, refunds: [Refund]) {
        try await context.database.lookup { tx in
            let trade = try Self.find(name, merchant.partner, in: tx)
            return (trade, try RefundRecords.all(of: trade.id, merchant: merchant.partner, in: tx))
        }
    }

    private func told(_ event: String, _ trade: Trade) {
        context.bell.ring()
        context.metrics.moved(event)
        context.trace.note(
            "trade \(event)", fields: [("trade_status", trade.status.rawValue)], about: OrderGatewayTrace.about(trade))
    }
}
