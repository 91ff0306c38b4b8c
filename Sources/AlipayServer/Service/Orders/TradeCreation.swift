import Alipay
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// `alipay.trade.create`: the merchant makes a trade for a buyer whom it knows, and a mini program has it paid by its number
/// (`my.tradePay` with `tradeNO`).
///
/// The method is public; its rules are here those of an order string, with `buyer_id` (alipay.md#trade-made-by-the-server [I]).
struct TradeCreation: Sendable {
    let context: AlipayServerContext
    let intake: OrderIntake

    /// Makes the trade, or finds the one that the number stands for: the same order for the same buyer is the same trade.
    ///
    /// Throws ``TradeRefusal``: `invalid-parameter`, `access-forbidden`, `context-inconsistent`, `other-payer`, `trade-closed`,
    /// `already-paid`.
    func create(_ content: JSONValue, _ passed: ModernChecks.Passed, buyer: String?) async throws -> Trade {
        guard let buyer, buyer.utf8.count == 16, buyer.hasPrefix("2088"), buyer.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw TradeRefusal(.invalidParameter, "buyer_id is due: 16 digits beginning 2088")
        }
        let accepted: OrderIntake.Accepted
        do { accepted = try intake.accept(content, passed, for: .createdTrade) } catch {
            throw TradeRefusal(error.subCode == "ACQ.ACCESS_FORBIDDEN" ? .accessForbidden : .invalidParameter, error.reason)
        }
        let (order, merchant, now) = (accepted.order, accepted.merchant, context.clock.now())
        guard buyer != merchant.partner.description, buyer != order.detail.sellerID else {
            throw TradeRefusal(.buyerIsSeller, "whoever sells cannot pay its own order")
        }
        if let end = order.detail.expiresAt, end <= now { throw TradeRefusal(.expired, "the order's time to be paid has ended") }
        let money = try TradeMoney(domestic: order.detail.price, feePercent: merchant.feePercent)
        let expiresAt = try order.end(ofTradeMadeAt: now, unless: context.configuration.defaultTimeout)
        let (id, number) = (context.identifiers.next(at: now), TradeNumber.make(at: now, using: context.identifiers))
        let fingerprint = RequestFingerprint(parts: [Array(order.merchant.description.utf8), order.text])
        let (trade, isNew) = try await context.database.writeRepeatably { [context] tx in
            let stored = try TradeOrderRecords.intern(order, fingerprint: fingerprint, in: tx)
            let wanted = Trade(
                merchant: merchant.partner, id: id, tradeNo: number, outTradeNo: order.detail.outTradeNo, order: stored.id,
                status: .waitBuyerPay, product: order.detail.product, version: 1, wallet: "", buyer: .init(id: buyer, logonID: ""),
                money: money, refunded: .none, paymentRequest: nil, funds: [], createdAt: now, expiresAt: expiresAt, paidAt: nil,
                refundedAt: nil, closedAt: nil, updatedAt: now, auditHead: .start)
            let begun = try context.store.begin(wanted, in: tx)
            guard !begun.isNew else { return begun }
            try OrderIntake.check(stored, fits: begun.trade, in: tx)
            guard begun.trade.buyer.id == buyer else { throw TradeRefusal(.otherPayer, "the trade is another buyer's") }
            guard begun.trade.status == .waitBuyerPay else {
                throw TradeRefusal(begun.trade.paidAt == nil ? .tradeClosed : .alreadyPaid, "the trade is \(begun.trade.status.rawValue)")
            }
            return begun
        }
        if isNew {
            context.metrics.moved("made")
            context.trace.note("trade made", fields: [("price", trade.money.price.description)], about: OrderGatewayTrace.about(trade))
        }
        return trade
    }
}
