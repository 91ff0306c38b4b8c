import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage

/// Batches of refunds: accepted whole, worked off trade by trade, and told of once, whatever came of them.
struct RefundBatches: Sendable {
    let context: AlipayServerContext

    /// The deadline that works a batch off.
    static let deadline = "alipay-refund-batch"
    /// So many items are decided in one write.
    private static let chunk = 50

    /// Stores a batch that has to be worked off. The same number with the same content is the same batch; with another it is refused
    /// (`refund-discordant`). The day in the number has to be today's when the batch is new: one whose answer was lost at midnight can be
    /// sent again.
    func accept(_ number: String, _ detail: RefundBatch.Detail, content: String, of merchant: AlipayMerchant) async throws {
        let now = context.clock.now()
        let batch = RefundBatch(
            merchant: merchant.partner, number: number, id: context.identifiers.next(at: now),
            fingerprint: BatchRecords.fingerprint(content), detail: detail, version: 1, createdAt: now)
        try await context.database.writeRepeatably { tx in
            if let known = try BatchRecords.find(number, merchant: merchant.partner, in: tx) {
                guard known.fingerprint == batch.fingerprint else {
                    throw TradeRefusal(.refundDiscordant, "the batch number stands for other refunds")
                }
                return
            }
            guard number.prefix(8) == ChinaTime.compactDay(now) else { throw LegacyRefusal(.illegalArgument) }
            guard try BatchRecords.insert(batch, in: tx) else {
                throw PaymentsError(code: .contended, reason: "the batch was accepted by another request: ask again")
            }
            try tx.executeBatch([
                DeadlineRecords.arming(
                    Deadline(merchant: merchant.partner, subject: batch.id, kind: Self.deadline, dueAt: now))
            ])
        }
    }

    /// Decides what is not decided yet. The write that decides the last item holds the notification too.
    func work(_ id: TimeOrderedID, merchant: AlipayMerchant) async throws {
        while try await step(id, merchant) {}
    }

    private func step(_ id: TimeOrderedID, _ merchant: AlipayMerchant) async throws -> Bool {
        let now = context.clock.now()
        let (refunded, isOver) = try await context.database.writeRepeatably { [context] tx -> (refunded: Int, isOver: Bool) in
            guard var batch = try BatchRecords.find(id, merchant: merchant.partner, in: tx), batch.settledAt == nil else {
                return (0, true)
            }
            let open = batch.detail.items.indices.filter { batch.detail.items[$0].outcome == nil }
            var refunded = 0
            for index in open.prefix(Self.chunk) {
                let (outcome, trade) = try Self.decide(
                    batch.detail.items[index], number: batch.number, route: batch.detail.route ?? .batch, merchant: merchant,
                    context: context, at: now, in: tx)
                batch.detail.items[index].outcome = outcome
                batch.detail.items[index].trade = trade?.description
                refunded += trade == nil ? 0 : 1
            }
            let isOver = open.count <= Self.chunk
            if isOver {
                batch.settledAt = now
                try tx.executeBatch(context.store.composer.batch(batch, at: now)?.statements ?? [])
            }
            guard try BatchRecords.update(batch, in: tx) else {
                throw PaymentsError(code: .contended, reason: "the batch was worked off by another worker")
            }
            return (refunded, isOver)
        }
        for _ in 0..<refunded { context.metrics.moved("refunded") }
        return !isOver
    }

    private static func decide(
        _ item: RefundBatch.Item, number: String, route: RefundRoute, merchant: AlipayMerchant,
        context: AlipayServerContext, at now: Timestamp, in tx: any Transaction
    ) throws -> (outcome: String, trade: TimeOrderedID?) {
        do {
            guard let trade = try TradeRecords.find(tradeNo: item.tradeNo, in: tx), trade.merchant == merchant.partner else {
                throw TradeRefusal(.tradeNotFound, "the merchant has no such trade")
            }
            guard try RefundRecords.find(number, trade: trade.id, merchant: merchant.partner, in: tx) == nil else {
                throw TradeRefusal(.refundDiscordant, "the number stands for a refund of another call")
            }
            let request = TradeService.RefundRequest(
                name: .init(tradeNo: item.tradeNo, outTradeNo: nil), amount: try Amount(item.amount, currency: .cny), requestNo: number,
                route: route, reason: item.reason)
            _ = try TradeService.refund(request, of: trade, merchant: merchant, context: context, at: now, in: tx).get()
            return ("SUCCESS", trade.id)
        } catch let refusal as TradeRefusal { return (refusal.legacyError, nil) }
    }
}
