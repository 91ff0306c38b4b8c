import ApplePay
import Foundation
import PaymentCrypto
import Synchronization

/// Judges the broker's certificates and remembers what it found good: chains by their bytes, sealers by the leaf's key.
final class BrokerChains: Sendable {
    private let policies: [EncryptionScheme: ProvisioningChainPolicy]
    private let sealers = Mutex<[PublicKey: any PassDataSealing]>([:])
    /// Successive production leafs keep one key (reference section 5), so a handful is plenty.
    private let capacity = 16

    init(trust: ProvisioningTrust) {
        policies = Dictionary(
            uniqueKeysWithValues: EncryptionScheme.allCases.map { ($0, ProvisioningChainPolicy(trust: trust, scheme: $0)) })
    }

    func report(
        _ certificates: [[UInt8]], unreadable: [String], scheme: EncryptionScheme, at instant: Date
    ) -> ProvisioningChainReport {
        // Every scheme has a policy; one made on the spot would judge the same.
        (policies[scheme] ?? ProvisioningChainPolicy(trust: .production, scheme: scheme))
            .check(certificates, at: instant, unreadable: unreadable)
    }

    /// Throws the report's first refusal.
    func sealer(of report: ProvisioningChainReport, scheme: EncryptionScheme) throws(ApplePayError) -> any PassDataSealing {
        let leaf = try report.leafKey()
        if let known = sealers.withLock({ $0[leaf] }) { return known }
        let sealer = try scheme.sealer(leaf: leaf)
        sealers.withLock { sealers in
            if sealers.count >= capacity { sealers = [:] }
            sealers[leaf] = sealer
        }
        return sealer
    }
}
