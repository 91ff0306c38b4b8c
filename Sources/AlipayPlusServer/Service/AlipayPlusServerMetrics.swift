import Metrics

/// What an operator watches. Labels hold codes, never identities.
struct AlipayPlusServerMetrics: Sendable {
    let factory: any MetricsFactory

    /// A call of the signed API, by side, API and result code.
    func called(by side: String, api: String, code: String) {
        count("alipay_plus_calls_total", [("side", side), ("api", api), ("result", code)])
    }
    func moved(_ event: String) { count("alipay_plus_payment_events_total", [("event", event)]) }
    func notified(_ outcome: String) { count("alipay_plus_notifications_total", [("outcome", outcome)]) }
    /// What we asked a wallet, and what it said.
    func errand(_ kind: String, _ outcome: String) { count("alipay_plus_wallet_calls_total", [("call", kind), ("outcome", outcome)]) }

    /// What waits for a person from now on.
    func alarm(_ kind: String) { count("alipay_plus_alarms_total", [("kind", kind)]) }

    private func count(_ label: String, _ dimensions: [(String, String)]) {
        Counter(label: label, dimensions: dimensions, factory: factory).increment()
    }
}
