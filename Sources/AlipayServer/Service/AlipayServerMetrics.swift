import Metrics

/// What an operator watches. Labels hold codes, never identities.
struct AlipayServerMetrics: Sendable {
    let factory: any MetricsFactory

    /// A call of `/gateway.do`, by method or service and by how it ended.
    func called(_ method: String, _ outcome: String) { count("alipay_gateway_calls_total", [("method", method), ("outcome", outcome)]) }
    func linked(_ operation: String, _ outcome: String) {
        count("alipay_wallet_link_total", [("operation", operation), ("outcome", outcome)])
    }
    func moved(_ event: String) { count("alipay_trade_events_total", [("event", event)]) }
    func notified(_ outcome: String) { count("alipay_notifications_total", [("outcome", outcome)]) }
    func walletRefund(_ outcome: String) { count("alipay_wallet_refunds_total", [("outcome", outcome)]) }

    /// What waits for a person from now on.
    func alarm(_ kind: String) { count("alipay_alarms_total", [("kind", kind)]) }

    private func count(_ label: String, _ dimensions: [(String, String)]) {
        Counter(label: label, dimensions: dimensions, factory: factory).increment()
    }
}
