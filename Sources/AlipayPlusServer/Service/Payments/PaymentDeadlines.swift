import BillfoldPayments
import BillfoldServer
import BillfoldStorage

/// What happens to payments by time alone.
struct PaymentDeadlines: DeadlineHandler {
    let context: AlipayPlusServerContext
    let collector: Collector

    func fire(_ deadline: Deadline) async throws -> DeadlineOutcome {
        switch deadline.kind {
        case CollectionStore.expiry: try await expire(deadline)
        case CollectionStore.inquiry: return try await inquire(deadline)
        default: break
        }
        return .done
    }

    /// The wallet is asked first: what it collected in time is a success, however late its word comes.
    private func expire(_ deadline: Deadline) async throws {
        guard
            let payment = try await context.database.lookup({
                try AcquirerPaymentRecords.find(deadline.subject, acquirer: deadline.merchant, in: $0)
            }), payment.state == .processing
        else { return }
        if let leg = payment.legs.last, leg.state == .requested { _ = try await collector.inquire(leg.id, of: payment) }
        let now = context.clock.now()
        let applied = try await context.database.writeRepeatably { [context] tx in
            try context.store.apply(
                .init(event: .expired, actor: "system"), to: deadline.subject, acquirer: deadline.merchant, at: now, in: tx)
        }
        guard applied.advanced else { return }
        context.metrics.moved("expired")
        context.trace.note("payment expired", about: AcquiringGatewayTrace.about(payment))
    }

    private func inquire(_ deadline: Deadline) async throws -> DeadlineOutcome {
        guard let payment = try await context.database.lookup({ try AcquirerPaymentRecords.find(leg: deadline.subject, in: $0) }),
            payment.standing.leg(deadline.subject)?.state == .requested, context.clock.now() < payment.expiresAt
        else { return .done }
        if try await collector.inquire(deadline.subject, of: payment) { return .done }
        let wait = context.configuration.inquiries.wait(payment.scenario, after: deadline.attempt)
        return .again(at: context.clock.now().advanced(by: wait))
    }
}
