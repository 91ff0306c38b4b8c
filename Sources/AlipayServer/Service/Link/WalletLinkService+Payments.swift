import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// How a wallet pays a trade, and what it is told of a payment afterwards.
extension WalletLinkService {
    /// A trade that was paid, as the write that answers for it left it.
    struct Paid: Sendable {
        var trade: Trade
        var order: TradeOrder
        /// Its notification, where this call stored it.
        var notification: OwedNotification?
    }

    /// Thrown out of a write: the trade that is to be paid is not in the books.
    private struct LostTrade: Error {}

    /// What a wallet offers for a trade.
    private struct Tender: Sendable {
        let request: LinkRequest.Pay
        let wallet: String
        let seller: Seller
        /// Until when the merchant's notification is left to this process.
        let lease: Timestamp?
        let now: Timestamp
    }

    /// Returns the answer, and what was paid where this call paid it. A payment of a trade that the books do not know is kept for people,
    /// and refused with `not-found`, which decides nothing, until they have settled it.
    ///
    /// - Parameter body: The request as it came.
    func pay(_ request: LinkRequest.Pay, body: [UInt8], wallet: String) async throws -> (given: LinkAnswer.Given, paid: Paid?) {
        do { return try await pay(request, wallet: wallet) } catch is LostTrade {
            guard try await UnmatchedPayments(context: context).keep(request, body: body, wallet: wallet) else {
                throw AlipayServerError(code: .notFound, reason: "there is no such trade; nothing is decided about the payment")
            }
            return (.init(answer: try await withdraw(request.requestID, wallet: wallet)), nil)
        }
    }

    private func pay(_ request: LinkRequest.Pay, wallet: String) async throws -> (given: LinkAnswer.Given, paid: Paid?) {
        let key = try Self.paymentKey(request.requestID, wallet: wallet)
        guard let known = try await context.trades.openedTrade(request.tradeNo) else {
            return (.init(answer: try await decidedBefore(key)), nil)
        }
        guard let partner = try await context.merchants.partner(known.merchant) else {
            throw AlipayServerError(code: .notFound, reason: "there is no such trade")
        }
        OwnTime.enter(known.merchant.description)
        let order = try await context.orders.order(of: known)
        let now = context.clock.now()
        // A place beforehand, so that the merchant is told without a look at the outbox.
        let place = context.bell.place(for: NotificationComposer.destination(of: known.merchant), at: now)
        let tender = Tender(request: request, wallet: wallet, seller: partner.merchant.seller, lease: place?.leaseUntil, now: now)
        let (given, paid) = try await decided(key, fingerprint: request.fingerprint, at: now) { tx in
            (.paid(tradeNo: request.tradeNo), try self.capture(tender, of: known, shownBy: order, in: tx))
        }
        switch given.answer {
        case .paid: tell(paid?.notification, through: place, paying: known, request.amount)
        case .refused(_, let refusal):
            context.trace.note("payment refused", about: OrderGatewayTrace.about(known), problem: refusal.code)
        case .order, .trade: break
        }
        return (given, paid)
    }

    /// The answer to a payment of a trade that is not in the books: what was decided of it before stays decided.
    private func decidedBefore(_ key: IdempotencyKey) async throws -> LinkAnswer {
        let known = try await context.database.lookup { tx in
            try IdempotencyRecords.result(key, in: tx).map { try JSONDocument.decode(LinkAnswer.self, $0) }
        }
        guard let known else { throw LostTrade() }
        return known
    }

    /// Captures the trade as it was read before this write began. Nothing is refused by that: what refuses is read again.
    private func capture(_ tender: Tender, of known: Trade, shownBy order: TradeOrder, in tx: any Transaction) throws -> Paid {
        do { return try take(tender, for: known, shownBy: order, in: tx) } catch is TradeRefusal {
            guard let trade = try TradeRecords.find(known.id, merchant: known.merchant, in: tx) else { throw LostTrade() }
            return try take(tender, for: trade, shownBy: TradeOrderRecords.order(of: trade, in: tx), in: tx)
        }
    }

    /// Pays a trade, or refuses by what was read of it and has changed nothing.
    private func take(_ tender: Tender, for trade: Trade, shownBy order: TradeOrder, in tx: any Transaction) throws -> Paid {
        let (request, now) = (tender.request, tender.now)
        guard trade.wallet == tender.wallet, trade.buyer.id == request.buyerID else {
            throw TradeRefusal(.otherPayer, "the trade belongs to another payer")
        }
        guard trade.money.payable == request.amount,
            request.funds.isEmpty || request.funds.reduce(0, { $0 + $1.amount }) == request.amount.minorUnits
        else { throw TradeRefusal(.amountDiffers, "the trade costs \(trade.money.payable)") }
        // Requests are forgotten before trades are.
        if trade.paymentRequest == request.requestID { return Paid(trade: trade, order: order) }
        guard trade.status == .waitBuyerPay else {
            // A second payment of a paid trade has to give its money back, whoever sent it.
            throw TradeRefusal(trade.paidAt == nil ? .tradeClosed : .alreadyPaid, "the trade is \(trade.status.rawValue)")
        }
        guard trade.expiresAt > now else { throw TradeRefusal(.expired, "the trade's time to be paid has ended") }
        let funds = request.funds.isEmpty ? [Trade.Fund(channel: "ALIPAYACCOUNT", amount: request.amount.minorUnits)] : request.funds
        let applied = try context.store.apply(
            .init(event: .paid, actor: "wallet:\(tender.wallet)", payment: (request.requestID, funds), lease: tender.lease), to: trade.id,
            merchant: trade.merchant, seller: tender.seller, at: now, reading: (trade, order), in: tx)
        // Somebody else's payment came in between.
        guard applied.advanced else { throw TradeRefusal(.alreadyPaid, "the trade is \(applied.trade.status.rawValue)") }
        // The payer may have come back by another string of the same order since the trade was read.
        let shown = applied.trade.order == order.id ? order : try TradeOrderRecords.order(of: applied.trade, in: tx)
        return Paid(trade: applied.trade, order: shown, notification: applied.notification)
    }

    /// Has the merchant told that its trade is paid: by the place that was kept, where this call stored the notification, or by a worker.
    private func tell(_ owed: OwedNotification?, through place: OutboxPlace?, paying trade: Trade, _ amount: Amount) {
        if let place, let owed {
            context.notifications.remember(owed.frozen, of: owed.message)
            place.handOver(owed.message)
        } else {
            context.bell.ring()
        }
        context.metrics.moved("paid")
        context.trace.note("trade paid", fields: [("amount", amount.description)], about: OrderGatewayTrace.about(trade))
    }

    /// What became of a payment; `nil` where no request of that id was received.
    func payment(_ requestID: String, wallet: String) async throws -> LinkAnswer? {
        let key = try Self.paymentKey(requestID, wallet: wallet)
        return try await context.database.lookup { [context] tx in
            if let known = try IdempotencyRecords.result(key, in: tx) { return try JSONDocument.decode(LinkAnswer.self, known) }
            guard try !UnmatchedPayments(context: context).isOpen(requestID, wallet: wallet, in: tx) else {
                throw UnmatchedPayments.unknown
            }
            return nil
        }
    }

    /// Decides a payment that was not received: no copy of it is taken any more, whenever it arrives. What was decided before stays, and
    /// is answered.
    func withdraw(_ requestID: String, wallet: String) async throws -> LinkAnswer {
        let key = try Self.paymentKey(requestID, wallet: wallet)
        let now = context.clock.now()
        let answer = try await context.database.writeRepeatably { [context] tx -> LinkAnswer in
            if let known = try IdempotencyRecords.result(key, in: tx) { return try JSONDocument.decode(LinkAnswer.self, known) }
            guard try !UnmatchedPayments(context: context).isOpen(requestID, wallet: wallet, in: tx) else {
                throw UnmatchedPayments.unknown
            }
            let refused = LinkAnswer.refused(status: 409, .withdrawn)
            let outcome = try IdempotencyRecords.begin(
                key, fingerprint: RequestFingerprint(texts: ["withdrawn"]), result: JSONDocument.encode(refused), at: now,
                in: tx)
            guard case .unseen = outcome else {
                throw AlipayServerError(code: .requestRunning, reason: "the request is being worked on")
            }
            return refused
        }
        if case .refused(_, .withdrawn) = answer { context.trace.note("payment withdrawn", about: [:], problem: requestID) }
        return answer
    }
}
