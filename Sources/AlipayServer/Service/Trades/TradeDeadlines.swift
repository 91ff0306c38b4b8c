import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What happens to trades by time alone.
struct TradeDeadlines: DeadlineHandler {
    let context: AlipayServerContext
    let trades: TradeService
    let batches: RefundBatches

    func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
        guard let merchant = try await context.merchants.partner(deadline.merchant)?.merchant else { return .done }
        switch deadline.kind {
        case TradeStore.expiry: try await apply(.expired, for: deadline, merchant: merchant)
        case TradeStore.refundWindow: try await apply(.refundWindowEnded, for: deadline, merchant: merchant)
        case TradeStore.acceptedRefund: try await trades.settleAccepted(deadline.subject, merchant: merchant)
        case RefundBatches.deadline: try await batches.work(deadline.subject, merchant: merchant)
        default: break
        }
        return .done
    }

    private func apply(_ event: TradeEvent, for deadline: Deadline, merchant: AlipayMerchant) async throws {
        let now = context.clock.now()
        let applied = try await context.database.writeRepeatably { [context] tx in
            try context.store.apply(
                .init(event: event, actor: "system"), to: deadline.subject, merchant: deadline.merchant, seller: merchant.seller, at: now,
                in: tx)
        }
        guard applied.advanced else { return }
        context.bell.ring()
        context.metrics.moved(event.name)
        context.trace.note("trade \(event.name)", about: OrderGatewayTrace.about(applied.trade))
    }
}
