import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import Testing

// What examples need and do not show: every import of an example's own file is printed on a page.

/// A message that is signed as wallets sign, under a root of its own.
struct ExampleSignedMessage {
    let root: TrustAnchor
    let signer: ParsedCertificate
    let bytes: [UInt8]

    init(content: [UInt8], at instant: Date, seed: UInt64) throws {
        var office = try TestCertificateAuthority(notBefore: instant - 86_400, notAfter: instant + 86_400, seed: seed)
        let key = try P256PrivateKey(using: &office.generator)
        signer = try office.walletLeaf(key.publicKey)
        root = office.anchor
        let encoder = SignedDataEncoder(
            signer: key, algorithm: .ecdsaSHA256, signerCertificate: signer, certificates: [signer, office.intermediate],
            signingTime: instant)
        bytes = try encoder.encode(content: content)
    }
}

/// A certificate that an RSA key made for itself.
enum ExampleCertificate {
    static func make(of key: RSAPrivateKey, number: String) throws -> ParsedCertificate {
        let name = CertificateName([.init(type: .commonName, value: "merchant")])
        return try CertificateIssuer(name: name, signer: key, algorithm: .rsaPKCS1SHA256).issue(
            CertificateTemplate(
                serialNumber: #require(SerialNumber(decimal: number)), subject: name, notBefore: Date(timeIntervalSince1970: 1_780_000_000),
                notAfter: Date(timeIntervalSince1970: 1_900_000_000), publicKey: key.publicKey))
    }
}
