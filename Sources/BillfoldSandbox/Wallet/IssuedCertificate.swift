public import ApplePay
import BillfoldJSON
import Foundation
public import PaymentCrypto

/// A certificate that the office issued to a merchant.
public struct IssuedCertificate: Sendable {
    public var certificate: ParsedCertificate
    public var kind: WalletAuthority.MerchantCertificateKind
    public var merchantIdentifier: String
    /// Whether the wallet encrypts to it. Of the processing certificates of one merchant and one kind of key, one is.
    public var isActive: Bool

    /// The serial number in upper-case hexadecimal: the office's name for the certificate.
    public var serial: String { certificate.serialNumber.hex }

    /// `EC` or `RSA`.
    public var keyKind: String {
        switch try? certificate.publicKey.kind {
        case .rsa: "RSA"
        case .p256, .p384: "EC"
        case nil: "unknown"
        }
    }

    /// As the office's list shows it.
    var json: JSONObject {
        JSONObject([
            .init("serial", .string(serial)), .init("kind", .string(kind.rawValue)), .init("key", .string(keyKind)),
            .init("merchantIdentifier", .string(merchantIdentifier)), .init("active", .bool(isActive)),
            .init("publicKeyHash", .string(StrictBase64.encode(certificate.publicKeyHash))),
            .init("notBefore", .string(certificate.notBefore.formatted(.iso8601))),
            .init("notAfter", .string(certificate.notAfter.formatted(.iso8601))), .init("pem", .string(certificate.pem)),
        ])
    }
}
