import Metrics

/// What an operator watches. Labels hold codes, never identities.
struct CardPaymentsMetrics: Sendable {
    let factory: any MetricsFactory

    /// A payment request's end, by the state it was answered with.
    func answered(_ state: String) {
        Counter(label: "card_payments_answered_total", dimensions: [("state", state)], factory: factory).increment()
    }

    /// A token that was refused, by the internal code that the caller does not see.
    func refusedToken(_ code: String) {
        Counter(label: "card_payments_tokens_refused_total", dimensions: [("code", code)], factory: factory).increment()
    }

    func notification(_ outcome: String) {
        Counter(label: "card_payments_notifications_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }

    func acquirerAnswer(_ message: String, _ outcome: String) {
        Counter(
            label: "card_payments_acquirer_answers_total", dimensions: [("message", message), ("outcome", outcome)], factory: factory
        ).increment()
    }

    func alarm(_ kind: String) {
        Counter(label: "card_payments_alarms_total", dimensions: [("kind", kind)], factory: factory).increment()
    }
}
