import BillfoldConcurrency
import Foundation
import PaymentCrypto

/// Chain reports of accepted tokens by the leaf's bytes: wallets sign with one leaf for months.
///
/// Parsing a chain costs as much as verifying it, so both are kept. Only accepted chains enter, which strangers cannot
/// make; validity is checked again at each use, since nothing else about fixed bytes under fixed anchors can change.
final class KnownLeaves: Sendable {
    /// An EC and an RSA leaf are usual, twice that at a renewal.
    private static let limit = 16
    private let reports = Locked<[CertificateBytes: ChainReport]>([:])

    func leaf(_ der: [UInt8]) -> ParsedCertificate? { reports.withLock { $0[CertificateBytes(der)]?.path.leaf } }

    /// The report, when the message carries the very same intermediates and all of the path, anchor included, is valid at the
    /// instant.
    func report(_ leaf: ParsedCertificate, offered: [[UInt8]], at instant: Date) -> ChainReport? {
        guard let report = reports.withLock({ $0[CertificateBytes(leaf.der)] }), offered.count == report.path.certificates.count,
            let anchor = report.path.anchor, anchor.certificate.isValid(at: instant)
        else { return nil }
        let held = offered.map { CertificateBytes($0) }
        return report.path.certificates.allSatisfy { $0.isValid(at: instant) && held.contains(CertificateBytes($0.der)) } ? report : nil
    }

    func remember(_ report: ChainReport) {
        reports.withLock { reports in
            if reports.count >= Self.limit { reports.removeAll(keepingCapacity: true) }
            reports[CertificateBytes(report.path.leaf.der)] = report
        }
    }
}
