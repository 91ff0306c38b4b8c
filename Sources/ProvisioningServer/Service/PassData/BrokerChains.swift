import ApplePay
import BillfoldJSON
import Foundation
import PaymentCrypto
import Synchronization

/// Judges the broker's certificates and remembers what it found good: chains by their bytes, sealers by the leaf's key. The broker sends the
/// same ones for months, so those that came last are kept decoded, too.
final class BrokerChains: Sendable {
    private let policies: [EncryptionScheme: ProvisioningChainPolicy]
    private let sealers = Mutex<[PublicKey: any PassDataSealing]>([:])
    private let last = Mutex(Sent([]))
    /// Successive production leafs keep one key (provisioning.md#certificates), so a handful is plenty.
    private let capacity = 16

    init(trust: ProvisioningTrust) {
        policies = Dictionary(
            uniqueKeysWithValues: EncryptionScheme.allCases.map { ($0, ProvisioningChainPolicy(trust: trust, scheme: $0)) })
    }

    /// Certificates as they were sent, and decoded.
    private struct Sent: Sendable {
        let texts: [String]
        var certificates: [[UInt8]] = []
        var unreadable: [String] = []

        init(_ texts: [String]) {
            self.texts = texts
            for (index, text) in texts.enumerated() {
                if let der = try? StrictBase64.decode(text) {
                    certificates.append(der)
                } else {
                    unreadable.append("certificate \(index + 1) is not base64")
                }
            }
        }
    }

    /// - Parameter texts: The certificates as they were sent, base64 of DER.
    func report(_ texts: [String], scheme: EncryptionScheme, at instant: Date) -> ProvisioningChainReport {
        let sent = sent(texts)
        // Every scheme has a policy; one made on the spot would judge the same.
        return (policies[scheme] ?? ProvisioningChainPolicy(trust: .production, scheme: scheme))
            .check(sent.certificates, at: instant, unreadable: sent.unreadable)
    }

    private func sent(_ texts: [String]) -> Sent {
        let last = last.withLock(\.self)
        // Byte by byte: texts that are alike to Swift may not be the same base64.
        if last.texts.elementsEqual(texts, by: ExactText.equal) { return last }
        let sent = Sent(texts)
        self.last.withLock { $0 = sent }
        return sent
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
