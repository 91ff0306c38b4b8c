package import ApplePayForging
import BillfoldJSON
import Foundation
package import PaymentCrypto

/// A certificate that the office issued to a merchant.
package struct IssuedCertificate: Sendable {
    package var certificate: ParsedCertificate
    package var kind: WalletAuthority.MerchantCertificateKind
    package var merchantIdentifier: String
    /// Whether the wallet encrypts to it. Of the processing certificates of one merchant and one kind of key, one is.
    package var isActive: Bool

    /// The serial number in upper-case hexadecimal: the office's name for the certificate.
    package var serial: String { certificate.serialNumber.hex }

    /// `EC` or `RSA`.
    package var keyKind: String {
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
