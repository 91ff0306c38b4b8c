public import PaymentCrypto

/// A merchant's payment processing certificate: to whose key the wallet's servers encrypt (apple-pay.md#merchant-certificates).
public struct MerchantCertificate: Sendable {
    public let certificate: ParsedCertificate
    public let publicKey: PublicKey
    /// SHA-256 of the merchant identifier, from extension 1.2.840.113635.100.6.32, or of the subject's UID where the
    /// extension is absent.
    public let merchantIdentifierHash: [UInt8]
    /// The merchant identifier, when the subject carries it (UID).
    public var merchantIdentifier: String? { certificate.subject.userID }
    /// What token headers call this certificate's key.
    public var publicKeyHash: [UInt8] { publicKey.sha256 }

    /// Reads the first certificate of a PEM text.
    public init(pem: String) throws(ApplePayError) {
        let parsed: ParsedCertificate
        do throws(PaymentCryptoError) {
            parsed = try ParsedCertificate(pem: pem)
        } catch {
            throw ApplePayError(code: .malformedCertificate, reason: error.reason)
        }
        try self.init(parsed)
    }

    /// Throws `malformed-certificate` for a key that cannot be read or a merchant identifier extension without a hash, `merchant-identifier-missing` when the
    /// certificate names no merchant, and `merchant-identifier-mismatch` when its two ways of naming one disagree.
    public init(_ certificate: ParsedCertificate) throws(ApplePayError) {
        self.certificate = certificate
        do throws(PaymentCryptoError) {
            publicKey = try certificate.publicKey
        } catch {
            throw ApplePayError(code: .malformedCertificate, reason: error.reason)
        }
        let fromExtension = certificate.merchantIdentifierHash
        guard fromExtension != nil || certificate.certificateExtension(.merchantIdentifierHash) == nil else {
            throw ApplePayError(code: .malformedCertificate, reason: "the merchant identifier extension holds no hash")
        }
        let fromSubject = certificate.subject.userID.map { MerchantIdentifier.hash($0) }
        guard let hash = fromExtension ?? fromSubject else {
            throw ApplePayError(code: .merchantIdentifierMissing, reason: "the certificate names no merchant identifier")
        }
        if let fromExtension, let fromSubject, fromExtension != fromSubject {
            throw ApplePayError(
                code: .merchantIdentifierMismatch, reason: "the certificate's UID and its merchant identifier extension disagree")
        }
        merchantIdentifierHash = hash
    }
}
