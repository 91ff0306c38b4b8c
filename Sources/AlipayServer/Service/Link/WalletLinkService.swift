import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Logging

/// What wallets ask of the gateway: orders shown, trades opened, payments made. Every write is one transaction and is known by the
/// wallet's id for it.
struct WalletLinkService: Sendable {
    let context: AlipayServerContext
    let intake: OrderIntake
    let results: PaymentResults

    // MARK: Orders

    func order(_ request: LinkRequest.Order, wallet: String) async throws -> LinkAnswer.Given {
        let text: String
        switch request.name {
        case .trade(let number): return try await created(number, request.requestID, wallet: wallet)
        case .text(let order): text = order
        }
        let accepted: OrderIntake.Accepted
        do { accepted = try await intake.verify(text) } catch var refusal as OrderRefusal {
            context.metrics.linked("orders", refusal.code)
            // Whoever is not verified yet writes into nobody's story, but in test mode, where it says what is wrong.
            if context.configuration.mode == .test { refusal.order = OrderIntake.number(in: text) }
            context.trace.note(
                "order refused", fields: [("code", refusal.code), ("reason", refusal.reason), ("parameter", refusal.parameter ?? "")],
                about: refusal.order.map { ["alipay.order": $0] } ?? [:], problem: refusal.code)
            // Nothing happened: what is wrong may be mended, so nothing is stored under the request's id.
            return .init(answer: .refused(status: 403, refusal))
        }
        OwnTime.enter(accepted.order.merchant.description)
        let key = try IdempotencyKey(caller: "wallet:\(wallet)", operation: Self.orderOperation, key: request.requestID)
        let fingerprint = RequestFingerprint(texts: [text, request.channel])
        let (now, order, merchant) = (context.clock.now(), accepted.order, accepted.merchant)
        let content = RequestFingerprint(parts: [Array(order.merchant.description.utf8), order.text])
        let (answer, stored) = try await decided(key, fingerprint: fingerprint, at: now) { tx in
            let stored = try TradeOrderRecords.intern(order, fingerprint: content, in: tx)
            let trade = try TradeRecords.find(outTradeNo: stored.detail.outTradeNo, merchant: stored.merchant, in: tx)
            if let trade { try OrderIntake.check(stored, fits: trade, in: tx) }
            return (.order(try self.shown(stored, merchant: merchant, trade: trade, at: now, in: tx)), stored)
        }
        if let stored { context.orders.remember(stored) }
        var given = answer
        var fields = [("subject", order.detail.subject), ("price", order.detail.price.description)]
        if !accepted.uncovered.isEmpty { fields.append(("not covered by the signature", accepted.uncovered.joined(separator: ", "))) }
        fields += ([accepted.clockWarning].compactMap { $0 } + accepted.warnings.prefix(8).map(\.description)).map { ("warning", $0) }
        switch given.answer {
        case .order(let shown):
            if let over = shown.over { fields.append(("over", over.reason)) }
            context.trace.note(
                "order verified", fields: fields, about: ["alipay.order": order.detail.outTradeNo, "alipay.ref": shown.ref])
        case .refused(let status, let refusal):
            given = .init(answer: .refused(status: status, refused(refusal, about: order)))
        case .trade, .paid: break
        }
        return given
    }

    /// Notes that an order, verified as it is, was refused. In test mode the refusal leads to the order's story.
    private func refused(_ refusal: OrderRefusal, about order: TradeOrder) -> OrderRefusal {
        var refusal = refusal
        if context.configuration.mode == .test { refusal.order = order.detail.outTradeNo }
        context.trace.note(
            "order refused", fields: [("code", refusal.code), ("reason", refusal.reason), ("parameter", refusal.parameter ?? "")],
            about: ["alipay.order": order.detail.outTradeNo], problem: refusal.code)
        return refusal
    }

    /// A trade that a merchant has made for a buyer, by its number.
    func created(_ tradeNo: String, _ requestID: String, wallet: String) async throws -> LinkAnswer.Given {
        // A trade that another wallet's customer pays is nobody else's to see.
        guard let trade = try await context.trades.trade(tradeNo), trade.wallet == wallet || trade.wallet.isEmpty,
            let partner = try await context.merchants.partner(trade.merchant)
        else {
            context.metrics.linked("orders", OrderRefusal.unknownTrade.code)
            return .init(answer: .refused(status: 403, .unknownTrade))
        }
        OwnTime.enter(trade.merchant.description)
        let now = context.clock.now()
        let order = try await context.orders.order(of: trade)
        let key = try IdempotencyKey(caller: "wallet:\(wallet)", operation: Self.orderOperation, key: requestID)
        let (given, _) = try await decided(key, fingerprint: RequestFingerprint(texts: ["trade", tradeNo]), at: now) { tx in
            (.order(try self.shown(order, merchant: partner.merchant, trade: trade, at: now, in: tx)), ())
        }
        if case .order(let shown) = given.answer {
            context.trace.note("trade shown", about: OrderGatewayTrace.about(trade).merging(["alipay.ref": shown.ref]) { $1 })
        }
        return given
    }

    private func shown(
        _ order: TradeOrder, merchant: AlipayMerchant, trade: Trade?, at now: Timestamp, in tx: any Transaction
    ) throws -> LinkAnswer.Order {
        let money = try trade?.money ?? money(of: order.detail, merchant, at: now, in: tx)
        let state =
            switch trade?.status {
            case nil: order.detail.expiresAt.map { $0 <= now } == true ? "closed" : "new"
            case .waitBuyerPay?: trade.map { $0.expiresAt <= now } == true ? "closed" : "open"
            case .closed?: "closed"
            case .success?, .finished?, .pending?: "paid"
            }
        return LinkAnswer.Order(
            ref: order.reference, generation: order.detail.generation.rawValue,
            merchant: .init(name: merchant.name, id: merchant.partner.description), subject: order.detail.subject, body: order.detail.body,
            price: .init(money.price), payable: .init(money.payable), rate: money.rate?.rate.description,
            returnURL: order.detail.returnURL, state: state, expiresAt: (trade?.expiresAt ?? order.detail.expiresAt)?.milliseconds,
            over: over(order, trade, at: now))
    }

    private func over(_ order: TradeOrder, _ trade: Trade?, at now: Timestamp) -> OrderRefusal? {
        var over = OrderRefusal.over(order, trade, at: now)
        if context.configuration.mode == .test { over?.order = order.detail.outTradeNo }
        return over
    }

    /// What an order costs by the rates of now.
    private func money(
        of detail: TradeOrder.Detail, _ merchant: AlipayMerchant, at now: Timestamp, in tx: any Transaction
    ) throws -> TradeMoney {
        guard detail.product == .crossBorder else {
            return try TradeMoney(domestic: detail.price, feePercent: merchant.feePercent)
        }
        guard
            let quote = try RateRecords.current(
                detail.settlementCurrency, at: now, within: context.configuration.rateLifetime, in: tx)
        else {
            // Tomorrow's rates may bring it: nothing is decided, so nothing is stored under the request's id.
            throw AlipayServerError(code: .noRate, reason: "there is no rate of these days for \(detail.settlementCurrency)")
        }
        let rate = try ExchangeRate(
            base: quote.currency, quote: .cny, rate: quote.rate, source: ChinaTime.compact(quote.publishedAt))
        return try TradeMoney(price: detail.price, rate: rate)
    }

    // MARK: Trades

    /// The payer has reached the password step: the trade is made, and its clock starts (alipay.md#password-step) [D].
    func open(_ request: LinkRequest.Open, wallet: String) async throws -> LinkAnswer.Given {
        guard let (merchantID, orderID) = TradeOrder.parts(of: request.ref),
            let partner = try await context.merchants.partner(merchantID),
            let order = try await context.orders.order(orderID, merchant: merchantID)
        else { throw AlipayServerError(code: .notFound, reason: "there is no such order") }
        OwnTime.enter(merchantID.description)
        let key = try IdempotencyKey(caller: "wallet:\(wallet)", operation: Self.tradeOperation, key: request.requestID)
        let fingerprint = RequestFingerprint(texts: [request.ref, request.buyer.id, request.buyer.logonID])
        let now = context.clock.now()
        let (id, number) = (context.identifiers.next(at: now), TradeNumber.make(at: now, using: context.identifiers))
        let (given, made) = try await decided(key, fingerprint: fingerprint, at: now) { tx in
            guard request.buyer.id != merchantID.description, request.buyer.id != order.detail.sellerID else {
                throw TradeRefusal(.buyerIsSeller, "whoever sells cannot pay its own order")
            }
            if let end = order.detail.expiresAt, end <= now { throw TradeRefusal(.expired, "the order's time to be paid has ended") }
            let money = try self.money(of: order.detail, partner.merchant, at: now, in: tx)
            let wanted = Trade(
                merchant: merchantID, id: id, tradeNo: number, outTradeNo: order.detail.outTradeNo, order: orderID, status: .waitBuyerPay,
                product: order.detail.product, version: 1, wallet: wallet, buyer: request.buyer, money: money, refunded: .none,
                paymentRequest: nil, funds: [], createdAt: now,
                expiresAt: try order.end(ofTradeMadeAt: now, unless: self.context.configuration.defaultTimeout), paidAt: nil,
                refundedAt: nil,
                closedAt: nil, updatedAt: now, auditHead: .start)
            let begun = try self.context.store.begin(wanted, in: tx)
            var trade = begun.trade
            if !begun.isNew {
                try OrderIntake.check(order, fits: trade, in: tx)
                // Nobody pays it any more, whoever began to (alipay.md#an-order-that-is-over) [D].
                guard trade.status != .closed else { throw TradeRefusal(.tradeClosed, "the trade is closed") }
                guard trade.status == .waitBuyerPay else { throw TradeRefusal(.alreadyPaid, "the order is paid already") }
                guard trade.buyer.id == request.buyer.id, trade.wallet == wallet || trade.wallet.isEmpty else {
                    throw TradeRefusal(.otherPayer, "another payer has begun to pay this order")
                }
                if trade.expiresAt <= now {
                    throw TradeRefusal(.expired, "the trade's time to be paid has ended")
                }
                // The merchant made it for this buyer; whose customer that is, the first wallet to come says.
                if trade.wallet.isEmpty {
                    trade = try self.context.store.adopt(trade, by: wallet, request.buyer, at: now, in: tx)
                }
                // What the payer is shown now is what the result speaks of.
                if trade.order != orderID {
                    trade = try self.context.store.show(orderID, as: trade, at: now, in: tx)
                }
            }
            let opened = LinkAnswer.Opened(
                tradeNo: trade.tradeNo, state: trade.status.rawValue, expiresAt: trade.expiresAt.milliseconds,
                payable: .init(trade.money.payable))
            return (.trade(opened), trade)
        }
        if let made { context.trades.remember(made) }
        switch given.answer {
        case .trade(let opened):
            context.metrics.moved("made")
            context.trace.note("trade made", about: ["alipay.ref": request.ref, "alipay.trade": opened.tradeNo])
            return given
        case .refused(let status, let refusal): return .init(answer: .refused(status: status, refused(refusal, about: order)))
        case .order, .paid: return given
        }
    }

    /// The operations of idempotency keys.
    static let orderOperation = "POST /link/v1/orders"
    static let tradeOperation = "POST /link/v1/trades"
    static let paymentOperation = "POST /link/v1/payments"

    static func paymentKey(_ requestID: String, wallet: String) throws -> IdempotencyKey {
        try IdempotencyKey(caller: "wallet:\(wallet)", operation: paymentOperation, key: requestID)
    }

    /// A trade that a wallet paid, with the payment's result signed now. That money moved is told even where no result can be signed.
    func result(of paid: Paid) async throws -> (trade: Trade, result: ResultText?) {
        do { return (paid.trade, try await results.payment(of: paid.order, paid.trade)) } catch {
            context.logger.error(
                "a payment's result cannot be signed",
                metadata: ["trade": "\(paid.trade.tradeNo)", "error": "\(ErrorMapping.logDescription(of: error))"])
            return (paid.trade, nil)
        }
    }

    /// The same of a trade that was paid before.
    func paid(_ tradeNo: String) async throws -> (trade: Trade, result: ResultText?) {
        guard let trade = try await context.trades.trade(tradeNo) else {
            throw AlipayServerError(code: .notFound, reason: "there is no such trade")
        }
        return try await result(of: Paid(trade: trade, order: context.orders.order(of: trade)))
    }

    func result(of reference: String) async throws -> ResultText {
        guard let (merchant, id) = TradeOrder.parts(of: reference),
            let order = try await context.orders.order(id, merchant: merchant)
        else { throw AlipayServerError(code: .notFound, reason: "there is no such order") }
        let trade = try await context.database.lookup {
            try TradeRecords.find(outTradeNo: order.detail.outTradeNo, merchant: merchant, in: $0)
        }
        return try await results.result(of: order, trade)
    }

    // MARK: Once

    /// Runs a write once per request id: the answer is stored with it, refusals by the trade's state among them. What the body made
    /// beside the answer is returned where it ran and did not refuse.
    func decided<Made: Sendable>(
        _ key: IdempotencyKey, fingerprint: RequestFingerprint, at now: Timestamp,
        _ body: @escaping @Sendable (any Transaction) throws -> (LinkAnswer, Made)
    ) async throws -> (LinkAnswer.Given, Made?) {
        let outcome = try await context.database.decideOnce(KeyedRequest(key, fingerprint: fingerprint, at: now)) {
            tx -> ([UInt8], (LinkAnswer.Given, Made?)) in
            let (answer, made): (LinkAnswer, Made?)
            do { (answer, made) = try body(tx) } catch let refusal as TradeRefusal {
                (answer, made) = (.refused(status: 409, .trade(refusal)), nil)
            }
            let text = try answer.text()
            return (text.stored, (.init(answer: answer, body: text.body), made))
        }
        switch outcome {
        case .now(let decided): return decided
        case .before(.finished(let result)): return (.init(answer: try JSONDocument.decode(LinkAnswer.self, result)), nil)
        case .before(.conflict):
            throw AlipayServerError(code: .requestIDReused, reason: "the request's id stands for another request")
        case .before:
            throw AlipayServerError(code: .requestRunning, reason: "the request is being worked on")
        }
    }
}
