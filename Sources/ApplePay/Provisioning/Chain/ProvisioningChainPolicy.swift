public import Foundation
import PaymentCrypto

/// Judges the certificates of a callback, rule by rule (provisioning.md#chain-checks).
///
/// Any order is taken and the leaf found by its marker. A root that the caller supplies is never used: the pinned one is. Dates are
/// checked, which the wallet's own policy does not. Keep one per process: accepted chains are remembered.
public struct ProvisioningChainPolicy: Sendable {
    public let trust: ProvisioningTrust
    public let scheme: EncryptionScheme
    /// The rules' codes in the order in which the first refusal is named.
    public let codes: [ApplePayError.Code]
    private let checker: CertificateChainChecker
    private let known = KnownLeaves()

    public init(trust: ProvisioningTrust, scheme: EncryptionScheme = .eccV2) {
        self.trust = trust
        self.scheme = scheme
        // The leaf's own use has a rule of its own, for the standard one lets an absent extension pass.
        let standard = ChainRules.standard(maximumIntermediates: 1, leafUsage: [], understood: [.provisioningEncryption])
        checker = CertificateChainChecker(
            anchors: trust.anchors,
            rules: [ThreeCertificatesRule()] + standard + [
                IntermediateNameRule(names: trust.intermediateNames), LeafKeyKindRule(scheme: scheme), KeyEnciphermentRule(),
            ])
        codes = [.certificateUnreadable, .leafCount, .unexpectedCertificate] + checker.rules.map { ApplePayError.Code($0.code) }
    }

    /// Runs every rule at the instant. `unreadable` are reasons why further certificates could not even be decoded, as from a damaged
    /// PEM text.
    public func check(_ certificates: [[UInt8]], at instant: Date, unreadable: [String] = []) -> ProvisioningChainReport {
        if unreadable.isEmpty, let report = remembered(certificates, at: instant) { return report }
        var reasons = unreadable
        if certificates.count > Self.maximumCertificates {
            reasons.append("\(certificates.count) certificates, at most \(Self.maximumCertificates) are read")
        }
        var parsed: [ParsedCertificate] = []
        for (index, der) in certificates.prefix(Self.maximumCertificates).enumerated() {
            do throws(PaymentCryptoError) {
                parsed.append(try ParsedCertificate(der: der))
            } catch {
                reasons.append("certificate \(index + 1): \(error.reason)")
            }
        }
        let leaves = parsed.filter { $0.certificateExtension(.provisioningEncryption) != nil }
        var rows = [
            row(.certificateUnreadable, reasons),
            row(
                .leafCount,
                leaves.count == 1 ? [] : ["\(leaves.count) certificates have extension \(OID.provisioningEncryption), one is due"]),
        ]
        guard leaves.count == 1, let leaf = leaves.first else {
            rows += codes.dropFirst(2).map { .init(code: $0, outcome: .notReached) }
            return ProvisioningChainReport(trust: trust.name, rows: rows, path: nil)
        }
        // A supplied root is passed over whatever it is.
        let offered = parsed.filter { $0 != leaf && !($0.isSelfIssued && $0.isCertificateAuthority) }
        let report = checker.report(leaf: leaf, offered: offered.map(\.der), at: instant)
        let strangers = offered.filter { !report.path.certificates.contains($0) }
        rows.append(row(.unexpectedCertificate, strangers.map { "\($0.subject) stands outside the leaf's chain" }))
        rows += report.rows.map { row(ApplePayError.Code($0.code), $0.failures.map { "\($0.position): \($0.reason)" }) }
        let judged = ProvisioningChainReport(trust: trust.name, rows: rows, path: report.path)
        if judged.isAccepted, certificates.count == report.path.certificates.count { known.remember(report) }
        return judged
    }

    /// The report again when these very bytes were accepted before and every date still holds.
    private func remembered(_ certificates: [[UInt8]], at instant: Date) -> ProvisioningChainReport? {
        for der in certificates.prefix(2) {
            guard let leaf = known.leaf(der), let report = known.report(leaf, offered: certificates, at: instant) else { continue }
            return ProvisioningChainReport(
                trust: trust.name, rows: codes.map { .init(code: $0, outcome: .passed) }, path: report.path)
        }
        return nil
    }

    /// Leaf, sub-CA and root are usual; what is beyond a handful is not worth parsing.
    private static let maximumCertificates = 8

    private func row(_ code: ApplePayError.Code, _ reasons: [String]) -> ProvisioningChainReport.Row {
        .init(code: code, outcome: reasons.isEmpty ? .passed : .refused(reasons.joined(separator: "; ")))
    }
}
