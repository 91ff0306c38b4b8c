import Foundation
import Logging
import Metrics
import PaymentCrypto
import ProvisioningServer
import ServiceLifecycle

/// Takes over what the issuer's file says of keys while the host runs: a new key set is used from the next request on, the one before it
/// stays valid for as long as the file names it.
///
/// Keys that cannot be opened, every one of them, are not taken over: the host goes on with those that it has, says so, and tries again.
struct IssuerKeyWatch: Service {
    let keys: IssuerKeys
    /// What was there before the keys were loaded.
    let loaded: IssuerKeys.State
    let server: ProvisioningServer
    let metrics: any MetricsFactory
    let logger: Logger
    var period: Duration = .seconds(2)

    func run() async throws { await cancelWhenGracefulShutdown { await look() } }

    private func look() async {
        var taken = loaded
        var lastFailure: String?
        while !Task.isCancelled {
            do {
                let state = try keys.state
                if state != taken {
                    try await takeOver()
                    taken = state
                }
                lastFailure = nil
            } catch {
                let why = "\(CommandFailure(error))"
                if why != lastFailure { failed(why) }
                lastFailure = why
            }
            try? await Task.sleep(for: period)
        }
    }

    private func takeOver() async throws {
        let fresh = try await keys.load()
        try server.replace(decisionKeys: fresh.decision)
        server.replace(networkKeys: fresh.networks)
        func names(_ ids: [KeyID]) -> Logger.MetadataValue { "\(ids.map(\.description).joined(separator: " "))" }
        logger.notice(
            "the issuer's keys were exchanged",
            metadata: [
                "visa": names(fresh.networks.visa.list.map(\.id)), "mastercard": names(fresh.networks.mastercard.list.map(\.id)),
                "decision": "\(fresh.decision.count)",
            ])
    }

    private func failed(_ why: String) {
        Counter(label: "issuer_key_reload_failures_total", factory: metrics).increment()
        logger.critical("the issuer's keys are not taken over: \(why)")
    }
}
