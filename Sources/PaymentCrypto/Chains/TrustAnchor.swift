/// A root that is trusted because the configuration says so, pinned by its bytes.
public struct TrustAnchor: Sendable, Hashable {
    public let certificate: ParsedCertificate

    /// Trusts a certificate that the configuration holds.
    public init(_ certificate: ParsedCertificate) { self.certificate = certificate }

    /// Trusts a certificate after comparing its SHA-256 fingerprint; throws `anchor-mismatch`.
    public init(_ certificate: ParsedCertificate, fingerprint: [UInt8]) throws(PaymentCryptoError) {
        guard certificate.fingerprint == fingerprint else {
            throw PaymentCryptoError(
                code: .anchorMismatch, reason: "the root's fingerprint is \(Hexadecimal.encode(certificate.fingerprint))")
        }
        self.certificate = certificate
    }

    /// SHA-256 of Apple Root CA - G3, the anchor of wallet tokens (apple-pay.md#certificate-chain). [V]
    public static let appleRootG3Fingerprint: [UInt8] = [
        0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
        0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
    ]
}
