public import Alipay
package import BillfoldPayments
public import Crypto
public import Foundation
public import PaymentCrypto
import PaymentCryptoIssuing

/// Keys of the gateway's own. They lie outside the database.
public struct OrderGatewayKeys: Sendable {
    package var audit: SymmetricKey
    package var hashing: HashingKey
    package var sealer: EnvelopeSealer
    package var partners: LegacyRSAPrivateKey
    package var platform: LegacyRSAPrivateKey
    package var authority: OrderGatewayAuthority
    package var signer: @Sendable (AlipaySignatureAlgorithm, LegacyRSAPrivateKey) throws -> any AlipaySigner

    /// - Parameters:
    ///   - audit: Keys the chain of what was done.
    ///   - hashing: For bearers and addresses of bills.
    ///   - sealer: Seals applications' gateway keys and merchants' secrets.
    ///   - partners: Signs for all partners of the legacy gateway ("mapi"). Never the open platform's: mistaking one for the other is a
    ///     classic failure (alipay.md#keys) [V].
    ///   - platform: Signs `RSA` for all applications of the open platform.
    ///   - authority: Issues the certificates of certificate mode.
    ///   - signer: Turns a key of ours into a signer: the composition root chooses the library.
    public init(
        audit: SymmetricKey, hashing: SymmetricKey, sealer: EnvelopeSealer, partners: LegacyRSAPrivateKey, platform: LegacyRSAPrivateKey,
        authority: OrderGatewayAuthority,
        signer: @escaping @Sendable (AlipaySignatureAlgorithm, LegacyRSAPrivateKey) throws -> any AlipaySigner
    ) {
        self.audit = audit
        self.hashing = HashingKey(hashing)
        self.sealer = sealer
        self.partners = partners
        self.platform = platform
        self.authority = authority
        self.signer = signer
    }
}

/// The gateway's certificate office: one root, which signs applications' certificates and the gateway's for each of them.
public struct OrderGatewayAuthority: Sendable {
    package var root: ParsedCertificate
    let issuer: CertificateIssuer

    /// The key is RSA of 2048 bits or more: serial numbers of RSA-family certificates are what clients send.
    public init(root: ParsedCertificate, key: RSAPrivateKey) {
        self.root = root
        issuer = CertificateIssuer(name: root.subject, signer: key, algorithm: .rsaPKCS1SHA256)
    }

    /// Makes the office with a self-signed root. Its serial number is positive and has at most 20 bytes.
    public static func make(key: RSAPrivateKey, serialNumber: [UInt8], from start: Date, to end: Date) throws -> OrderGatewayAuthority {
        let name = CertificateName([
            .init(type: .countryName, value: "CN"), .init(type: .organizationName, value: "Billfold"),
            .init(type: .organizationalUnitName, value: "Certification Authority"),
            .init(type: .commonName, value: "Billfold Express Root RSA"),
        ])
        let issuer = CertificateIssuer(name: name, signer: key, algorithm: .rsaPKCS1SHA256)
        var template = CertificateTemplate(
            serialNumber: SerialNumber(magnitude: serialNumber), subject: name, notBefore: start, notAfter: end, publicKey: key.publicKey)
        template.isCertificateAuthority = true
        template.keyUsage = [.certificateSigning, .revocationListSigning]
        return OrderGatewayAuthority(root: try issuer.issue(template), key: key)
    }

    func certificate(
        of key: PublicKey, named name: String, organization: String, serialNumber: [UInt8], from start: Date, to end: Date
    ) throws -> ParsedCertificate {
        let subject = CertificateName([
            .init(type: .countryName, value: "CN"), .init(type: .organizationName, value: organization),
            .init(type: .organizationalUnitName, value: "Billfold"), .init(type: .commonName, value: name),
        ])
        return try issuer.issue(
            CertificateTemplate(
                serialNumber: SerialNumber(magnitude: serialNumber), subject: subject, notBefore: start, notAfter: end, publicKey: key))
    }
}
