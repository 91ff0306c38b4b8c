/// Asks the server what became of an attempt, until it knows or the schedule is over.
struct OutcomeFollower: Sendable {
    let attempt: PaymentAttempt
    let server: any MerchantServer
    let configuration: CheckoutConfiguration

    /// Nil: the server has heard of no payment by this attempt, all questions having been answered so.
    func ask(last: CheckoutPayment?) async -> CheckoutOutcome? {
        var last = last
        var sawAnswer = false
        for pause in configuration.followUpPauses {
            do { try await configuration.wait(pause) } catch { break }
            guard let order = try? await server.order(attempt.access) else { continue }
            sawAnswer = true
            // The attempt's own payment may not be there yet: that an earlier one failed says nothing about it.
            let payments = order.payments.filter { $0.verdict != .failed || !attempt.failedBefore.contains($0.id) }
            guard let verdict = PaymentVerdict(of: payments) else { continue }
            switch verdict {
            case .succeeded:
                if let payment = payments.first(where: { $0.verdict == .succeeded }) { return .succeeded(payment) }
            case .failed:
                return .failed(code: "payment-failed", reason: payments.last?.reason ?? "the payment was declined")
            case .undecided: last = payments.last { $0.verdict == .undecided }
            }
        }
        if let last { return .undecided(last) }
        return sawAnswer ? nil : .undecided(nil)
    }
}
