public import Foundation

/// Checks chains against pinned roots, rule by rule, at a given instant.
///
/// Certificates that come in a message serve as intermediates only; roots come from the configuration alone.
public struct CertificateChainChecker: Sendable {
    public let anchors: [TrustAnchor]
    public let rules: [any ChainRule]
    public let cache: VerifiedIntermediateCache

    /// The cache belongs to these anchors: do not share it with a checker that pins others.
    public init(anchors: [TrustAnchor], rules: [any ChainRule], cache: VerifiedIntermediateCache = .init()) {
        self.anchors = anchors
        self.rules = rules
        self.cache = cache
    }

    /// Runs every rule over the leaf's path. `offered` are raw certificates in any order, the leaf among them or not;
    /// what does not parse is passed over.
    public func report(leaf: ParsedCertificate, offered: [[UInt8]], at instant: Date) -> ChainReport {
        let path = path(from: leaf, offered: offered)
        let rows = rules.map { ChainReport.Row(code: $0.code, failures: $0.failures(in: path, at: instant)) }
        let report = ChainReport(path: path, rows: rows)
        if report.isAccepted { cache.remember(path) }
        return report
    }

    /// Runs every rule and throws `chain-refused` with all failures as its reason when one does not hold.
    public func verify(
        leaf: ParsedCertificate, offered: [[UInt8]], at instant: Date
    ) throws(PaymentCryptoError) -> VerifiedChain {
        let report = report(leaf: leaf, offered: offered, at: instant)
        guard report.isAccepted else {
            throw PaymentCryptoError(
                code: .chainRefused,
                reason: rules.isEmpty ? "no rule judged the chain" : report.failures.map(\.description).joined(separator: "; "))
        }
        return VerifiedChain(path: report.path, leafKey: try leaf.publicKey)
    }

    /// Finds issuers by name, towards an anchor.
    private func path(from leaf: ParsedCertificate, offered: [[UInt8]]) -> CertificatePath {
        var parsed: [ParsedCertificate]?
        var certificates = [leaf]
        while certificates.count <= 8 {
            let last = certificates[certificates.count - 1]
            if let anchor = anchor(of: last) { return CertificatePath(certificates: certificates, anchor: anchor) }
            for raw in offered where raw != last.der {
                guard let entry = cache.entry(raw), entry.certificate.subject == last.issuer,
                    anchors.contains(entry.anchor)
                else { continue }
                return CertificatePath(
                    certificates: certificates + [entry.certificate] + entry.above, anchor: entry.anchor,
                    verifiedFrom: certificates.count)
            }
            let candidates = parsed ?? parse(offered)
            parsed = candidates
            guard let issuer = issuer(of: last, among: candidates.filter { !certificates.contains($0) }) else { break }
            certificates.append(issuer)
        }
        return CertificatePath(certificates: certificates, anchor: nil)
    }

    private func parse(_ offered: [[UInt8]]) -> [ParsedCertificate] {
        offered.prefix(8).compactMap { raw in
            guard let certificate = try? ParsedCertificate(der: raw),
                !anchors.contains(where: { $0.certificate == certificate })
            else { return nil }
            return certificate
        }
    }

    /// Among anchors of one name, the one whose key identifier fits or whose key signed it.
    private func anchor(of certificate: ParsedCertificate) -> TrustAnchor? {
        let named = anchors.filter { $0.certificate.subject == certificate.issuer && $0.certificate != certificate }
        return named.count < 2 ? named.first : named.first { signed($0.certificate, certificate) } ?? named.first
    }

    /// The candidate of the right name; several are told apart by their signature. With none of that name, the only
    /// other certificate is taken, so that the report can say whose name was expected.
    private func issuer(of certificate: ParsedCertificate, among candidates: [ParsedCertificate]) -> ParsedCertificate? {
        let named = candidates.filter { $0.subject == certificate.issuer }
        if named.count > 1 { return named.first { signed($0, certificate) } ?? named.first }
        if let only = named.first { return only }
        let authorities = candidates.filter { $0.isCertificateAuthority && !$0.isSelfIssued }
        return authorities.count == 1 && !certificate.isCertificateAuthority ? authorities.first : nil
    }

    private func signed(_ issuer: ParsedCertificate, _ certificate: ParsedCertificate) -> Bool {
        guard let key = try? issuer.publicKey else { return false }
        return certificate.isSigned(by: key)
    }
}
