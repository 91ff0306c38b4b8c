import CardPaymentsServer
import Foundation
import Logging
import Metrics
import PaymentCrypto
import ServiceLifecycle

/// Looks after the keys while the server runs: a change of a key store is taken over without a restart, and a certificate that
/// nears its end is warned of, in the log at each mark (30, 15 and 7 days among them) and as a figure for `/metrics`.
///
/// A store that fails the self-test is not taken over: the server goes on with the keys it has, and says so.
struct KeyWatch: Service {
    let keys: [MerchantKeys]
    /// What each store held before its keys were loaded.
    let loaded: [[StoredKey]]
    let service: CardPaymentsService
    let dates: @Sendable () -> Date
    let metrics: any MetricsFactory
    let logger: Logger
    var period: Duration = .seconds(5)

    func run() async throws { await cancelWhenGracefulShutdown { await look() } }

    private func look() async {
        var seen = loaded
        var warned: [String: KeyExpiry] = [:]
        while !Task.isCancelled {
            for (index, keys) in keys.enumerated() {
                guard let stored = try? keys.store.keys else {
                    failed(keys, "the index cannot be read")
                    continue
                }
                if seen[index] != stored {
                    seen[index] = stored
                    takeOver(keys)
                }
                warn(keys, stored: stored, warned: &warned)
            }
            try? await Task.sleep(for: period)
        }
    }

    private func takeOver(_ keys: MerchantKeys) {
        do {
            try service.replace(keys.profile(at: dates(), logger: logger))
            logger.notice("the keys were exchanged", metadata: ["merchant": "\(keys.merchant.id)"])
        } catch {
            failed(keys, "\(CommandFailure(error))")
        }
    }

    private func failed(_ keys: MerchantKeys, _ why: String) {
        Counter(label: "merchant_key_reload_failures_total", dimensions: [("merchant", "\(keys.merchant.id)")], factory: metrics)
            .increment()
        logger.critical("the key store is not taken over: \(why)", metadata: ["merchant": "\(keys.merchant.id)"])
    }

    private func warn(_ keys: MerchantKeys, stored: [StoredKey], warned: inout [String: KeyExpiry]) {
        let now = dates()
        for key in stored where key.state == .active {
            guard let notAfter = key.notAfter else { continue }
            let left = KeyExpiry.daysLeft(notAfter: notAfter, now: now)
            Meter(
                label: "merchant_certificate_days_left",
                dimensions: [("merchant", "\(keys.merchant.id)"), ("purpose", key.purpose.rawValue), ("kind", key.kind.rawValue)],
                factory: metrics
            ).set(left)
            let expiry = KeyExpiry(notAfter: notAfter, now: now)
            guard expiry != .far, warned.updateValue(expiry, forKey: key.id) != expiry else { continue }
            logger.warning(
                "a certificate is near its end: \(left) days left",
                metadata: [
                    "merchant": "\(keys.merchant.id)", "key": "\(key.id)", "purpose": "\(key.purpose.rawValue)",
                    "notAfter": "\(notAfter.ISO8601Format())",
                ])
        }
    }
}
