public import Foundation
public import PaymentCrypto

/// A merchant's payment processing certificate: to whose key the wallet's servers encrypt (section 7).
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

    /// Throws `malformed-certificate` for a key that no token can be made for, `merchant-identifier-missing` when the
    /// certificate names no merchant, and `merchant-identifier-mismatch` when its two ways of naming one disagree.
    public init(_ certificate: ParsedCertificate) throws(ApplePayError) {
        self.certificate = certificate
        do throws(PaymentCryptoError) {
            publicKey = try certificate.publicKey
        } catch {
            throw ApplePayError(code: .malformedCertificate, reason: error.reason)
        }
        let fromExtension = certificate.merchantIdentifierHash
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

    /// One check of ``selfTest(key:merchantIdentifier:at:)``.
    public struct Check: Sendable, Hashable {
        /// What a failure is called.
        public var code: ApplePayError.Code
        /// One line for the start-up log.
        public var summary: String
        public var isPassed: Bool
    }

    /// The start-up self-test of section 7: the key is the certificate's, the certificate is for the configured identifier,
    /// it is valid now, and its kind can open tokens. A server refuses to start when one fails.
    public func selfTest(key: PrivateKey, merchantIdentifier: String, at instant: Date) -> [Check] {
        let kind: (String, Bool) =
            switch publicKey.kind {
            case .p256: ("EC P-256: opens EC_v1 tokens", true)
            case .rsa(let bits) where bits == 2048: ("RSA 2048: opens RSA_v1 tokens (China mainland)", true)
            case .rsa(let bits): ("RSA \(bits): processing keys have 2048 bits", false)
            case .p384: ("EC P-384: opens no token", false)
            }
        return [
            Check(
                code: .keyMismatch, summary: "private key belongs to the certificate, publicKeyHash \(StrictBase64.encode(publicKeyHash))",
                isPassed: key.publicKey == publicKey),
            Check(
                code: .merchantIdentifierMismatch, summary: "certificate is for \(merchantIdentifier)",
                isPassed: MerchantIdentifier.hash(merchantIdentifier) == merchantIdentifierHash),
            Check(
                code: .certificateNotValid,
                summary: "valid from \(certificate.notBefore.formatted(.iso8601)) to \(certificate.notAfter.formatted(.iso8601))",
                isPassed: certificate.isValid(at: instant)),
            Check(code: .keyKind, summary: kind.0, isPassed: kind.1),
        ]
    }
}
