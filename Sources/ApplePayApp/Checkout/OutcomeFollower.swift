/// Asks the server what became of a payment, until it knows or the schedule is over.
struct OutcomeFollower: Sendable {
    let access: OrderAccess
    let server: any MerchantServer
    let configuration: CheckoutConfiguration

    /// Nil: the server has heard of no payment for the order, all questions having been answered so.
    func ask(last: CheckoutPayment?) async -> CheckoutOutcome? {
        var last = last
        var sawAnswer = false
        for pause in configuration.followUpPauses {
            do { try await configuration.wait(pause) } catch { break }
            guard let order = try? await server.order(access) else { continue }
            sawAnswer = true
            guard let verdict = PaymentVerdict(of: order.payments) else { continue }
            switch verdict {
            case .succeeded:
                if let payment = order.payments.first(where: { $0.verdict == .succeeded }) { return .succeeded(payment) }
            case .failed:
                return .failed(code: "payment-failed", reason: order.payments.last?.reason ?? "the payment was declined")
            case .undecided: last = order.payments.last { $0.verdict == .undecided }
            }
        }
        if let last { return .undecided(last) }
        return sawAnswer ? nil : .undecided(nil)
    }
}
