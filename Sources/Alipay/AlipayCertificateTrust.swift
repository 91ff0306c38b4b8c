public import Foundation
public import PaymentCrypto

/// Whose certificates may sign for Alipay in certificate mode: those that chain to the roots of the configuration.
///
/// A certificate that was downloaded because an answer named another `alipay_cert_sn` is believed only after this
/// (alipay.md#certificate-mode).
public struct AlipayCertificateTrust: Sendable {
    private let checker: CertificateChainChecker

    public init(roots: [ParsedCertificate]) {
        checker = CertificateChainChecker(
            anchors: roots.map { TrustAnchor($0) },
            rules: [
                AnchorRule(), IssuerLinkRule(), CertificateSignatureRule(), ExpiryRule(), InceptionRule(), AuthorityRule(),
                PathLengthRule(maximumIntermediates: 4),
            ])
    }

    /// Takes a root bundle; `unusable-key` when it holds no certificate. Roots of SM2 stay in it and verify nothing.
    public init(rootBundle pem: String) throws(AlipayError) {
        let roots = try AlipayCertificateSerial.certificates(pem)
        guard !roots.isEmpty else { throw AlipayError(code: .unusableKey, reason: "the bundle holds no certificate") }
        self.init(roots: roots)
    }

    /// The key of the first certificate of a file, once the certificate chains to a root at the instant. `unusable-key` otherwise.
    /// - Parameters:
    ///   - pem: The file's text: the signer's certificate, then any that lead to a root.
    ///   - serial: The `alipay_cert_sn` that was asked for; another is `other-message`.
    ///   - instant: When the certificates have to be valid, usually now.
    public func key(
        ofFirstIn pem: String, serial: AlipayCertificateSerial? = nil, at instant: Date
    ) throws(AlipayError) -> LegacyRSAPublicKey {
        let certificates = try AlipayCertificateSerial.certificates(pem)
        guard let leaf = certificates.first else { throw AlipayError(code: .unusableKey, reason: "the file holds no certificate") }
        guard serial == nil || AlipayCertificateSerial(leaf) == serial else {
            throw AlipayError(code: .otherMessage, reason: "the certificate's serial number is not the one that was asked for")
        }
        do {
            _ = try checker.verify(leaf: leaf, offered: certificates.map(\.der), at: instant)
            return try LegacyRSAPublicKey(subjectPublicKeyInfo: Array(leaf.subjectPublicKeyInfo))
        } catch { throw AlipayError(code: .unusableKey, reason: "the certificate is not believed: \(error.reason)") }
    }
}
