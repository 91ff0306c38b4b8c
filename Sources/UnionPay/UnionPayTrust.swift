public import Foundation
import SwiftASN1
public import X509

/// Which certificates speak for UnionPay. Certificate changes are routine, so this comes from configuration.
public struct UnionPayTrust: Sendable {
    /// The element of the subject's common name, split at `@`, that names UnionPay: `041@…@中国银联股份有限公司@…`.
    public static let organisation = "中国银联股份有限公司"
    /// What the test environment's certificates may say instead.
    public static let testOrganisation = "00040000:SIGN"

    public var anchors: [Certificate]
    public var intermediates: [Certificate]
    /// Accepted values of that element.
    public var organisations: Set<String>

    public init(anchors: [Certificate], intermediates: [Certificate] = [], organisations: Set<String> = [Self.organisation]) {
        self.anchors = anchors
        self.intermediates = intermediates
        self.organisations = organisations
    }

    /// Reads `signPubKeyCert` and returns its certificate once chain, dates and name are in order.
    ///
    /// `certificate-untrusted`, `certificate-out-of-date` or `certificate-not-unionpay`.
    public func signer(pem: String, at instant: Date) throws(UnionPayError) -> Certificate {
        try checkedSigner(pem: pem, at: instant).certificate
    }

    /// Checks the chain from a signing certificate to an anchor, and the name.
    public func check(_ certificate: Certificate, at instant: Date) throws(UnionPayError) { _ = try validity(of: certificate, at: instant) }

    /// The certificate with the time during which the same check would pass again.
    func checkedSigner(pem: String, at instant: Date) throws(UnionPayError) -> (certificate: Certificate, validity: ClosedRange<Date>) {
        let certificate = try Self.certificate(pem: pem)
        return (certificate, try validity(of: certificate, at: instant))
    }

    private func validity(of certificate: Certificate, at instant: Date) throws(UnionPayError) -> ClosedRange<Date> {
        if case .isCertificateAuthority = Self.constraints(certificate) {
            throw UnionPayError(code: .certificateUntrusted, reason: "the signing certificate is a certificate authority's own")
        }
        if let usage = Self.keyUsage(certificate), !usage.digitalSignature, !usage.nonRepudiation {
            throw UnionPayError(code: .certificateUntrusted, reason: "the signing certificate's key usage does not allow signatures")
        }
        guard let chain = chain(from: certificate, depth: 0) else {
            throw UnionPayError(
                code: .certificateUntrusted, reason: "the signing certificate does not chain to a configured anchor")
        }
        for link in chain where !(link.notValidBefore...max(link.notValidBefore, link.notValidAfter)).contains(instant) {
            throw UnionPayError(
                code: .certificateOutOfDate, reason: "a certificate of the chain is not valid at the given instant")
        }
        guard Self.organisation(of: certificate).map(organisations.contains) == true else {
            throw UnionPayError(code: .certificateNotUnionPay, reason: "the certificate's common name is not UnionPay's")
        }
        // Every link holds at the instant, so the latest beginning is not after the earliest end.
        let (begin, end) = (chain.map(\.notValidBefore).max() ?? instant, chain.map(\.notValidAfter).min() ?? instant)
        return begin...end
    }

    /// The element 2 of the common name, or `nil` when it has no such element.
    public static func organisation(of certificate: Certificate) -> String? {
        guard let name = commonName(certificate) else { return nil }
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[2]) : nil
    }

    package static func certificate(pem: String) throws(UnionPayError) -> Certificate {
        do {
            // Line ends count for what is signed, not for what the certificate says.
            return try Certificate(pemEncoded: pem.replacing("\r\n", with: "\n"))
        } catch {
            throw UnionPayError(code: .certificateUntrusted, reason: "signPubKeyCert is not a certificate that can be read")
        }
    }

    package static func commonName(_ certificate: Certificate) -> String? {
        for relative in certificate.subject {
            for attribute in relative where attribute.type == .RDNAttributeType.commonName {
                return String(attribute.value)
            }
        }
        return nil
    }

    private func chain(from certificate: Certificate, depth: Int) -> [Certificate]? {
        if let anchor = anchors.first(where: { Self.isIssued(certificate, by: $0) }) { return [certificate, anchor] }
        guard depth < 4 else { return nil }
        for issuer in intermediates where issuer != certificate && Self.isIssued(certificate, by: issuer) {
            if let rest = chain(from: issuer, depth: depth + 1) { return [certificate] + rest }
        }
        return nil
    }

    private static func isIssued(_ certificate: Certificate, by issuer: Certificate) -> Bool {
        guard certificate.issuer == issuer.subject, case .isCertificateAuthority = constraints(issuer) else { return false }
        if let usage = keyUsage(issuer), !usage.keyCertSign { return false }
        return issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
    }

    private static func constraints(_ certificate: Certificate) -> BasicConstraints {
        ((try? certificate.extensions.basicConstraints) ?? nil) ?? .notCertificateAuthority
    }

    private static func keyUsage(_ certificate: Certificate) -> KeyUsage? { (try? certificate.extensions.keyUsage) ?? nil }
}
