import ApplePay
import ApplePayForging
import BillfoldDiagnosis
import Crypto
import CryptoExtras
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing
import SwiftASN1
import UnionPay
import X509

/// What the server's process is told: keys and addresses, all made for one run.
struct PaymentSetup: Codable {
    struct GatewayKeys: Codable {
        /// PKCS#8.
        var key: Data
        var certificate: Data
        var root: Data
    }

    static let applePayIdentifier = "merchant.example.shop"
    static let acquirerID = "777290058167151"
    static let apiKey = "sk_test_0123456789abcdef0123456789"

    /// The wallet's root.
    var root: Data
    /// PKCS#8 of the P-256 key that opens tokens.
    var processingKey: Data
    var processingCertificate: Data
    /// PKCS#8 of the RSA key that signs deducts.
    var merchantKey: Data
    var merchantCertificate: Data
    var gateway: GatewayKeys
    var gatewayPort: Int
}

/// The wallets of many phones: leaf certificates in turn, so that each token brings one that must be verified.
struct Wallets {
    let authorities: [WalletAuthority]
    let certificate: MerchantCertificate
    let processing: P256PrivateKey

    /// - Parameter leaves: With one, a verifier knows the leaf after the first token; with more than it remembers, each
    ///   token brings a leaf that must be verified.
    init(leaves: Int, merchantIdentifier: String, at instant: Date) throws {
        var generator = SystemRandomNumberGenerator()
        let first = try WalletAuthority(at: instant, using: &generator)
        let issuer = CertificateIssuer(name: first.intermediate.subject, signer: first.intermediateKey, algorithm: .ecdsaSHA256)
        authorities = try (0..<leaves).map { number -> WalletAuthority in
            let key = try P256PrivateKey(using: &generator)
            let leaf = try issuer.issue(
                CertificateTemplate(
                    serialNumber: SerialNumber(magnitude: withUnsafeBytes(of: UInt64(number + 1).bigEndian) { Array($0) }),
                    subject: first.leaf.subject, notBefore: first.leaf.notBefore, notAfter: first.leaf.notAfter, publicKey: key.publicKey,
                    isCertificateAuthority: false, keyUsage: .digitalSignature, extensions: [.marker(.walletTokenSigner)]))
            return WalletAuthority(
                root: first.root, intermediate: first.intermediate, intermediateKey: first.intermediateKey, leaf: leaf, leafKey: key)
        }
        processing = try P256PrivateKey(using: &generator)
        certificate = try MerchantCertificate(
            first.merchantCertificate(
                for: processing.publicKey, merchantIdentifier: merchantIdentifier, notBefore: instant.addingTimeInterval(-86_400),
                using: &generator))
    }
}

extension PaymentSetup {
    init(wallets: Wallets, at instant: Date) throws {
        self.root = Data(wallets.authorities[0].root.der)
        processingKey = Data(wallets.processing.pkcs8)
        processingCertificate = Data(wallets.certificate.certificate.der)
        let keys = try (0..<3).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) }
        let signers = keys.map { Certificate.PrivateKey($0) }
        let name = "041@Z2026@\(UnionPayTrust.organisation)@00000001"
        let root = try Self.issue("Test Root", 1, signers[0].publicKey, "Test Root", signers[0], isAuthority: true, at: instant)
        gateway = GatewayKeys(
            key: keys[1].pkcs8DERRepresentation,
            certificate: try Self.der(Self.issue(name, 2, signers[1].publicKey, "Test Root", signers[0], at: instant)),
            root: try Self.der(root))
        merchantKey = keys[2].pkcs8DERRepresentation
        merchantCertificate = try Self.der(Self.issue("Merchant", 3, signers[2].publicKey, "Test Root", signers[0], at: instant))
        gatewayPort = 0
    }

    private static func der(_ certificate: Certificate) throws -> Data { Data(try certificate.serializeAsPEM().derBytes) }

    private static func issue(
        _ name: String, _ serial: UInt64, _ key: Certificate.PublicKey, _ issuer: String, _ issuerKey: Certificate.PrivateKey,
        isAuthority: Bool = false, at instant: Date
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: .init(serial), publicKey: key, notValidBefore: instant.addingTimeInterval(-86_400),
            notValidAfter: instant.addingTimeInterval(86_400), issuer: DistinguishedName { CommonName(issuer) },
            subject: DistinguishedName { CommonName(name) }, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions {
                Critical(isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: !isAuthority, keyCertSign: isAuthority))
            }, issuerPrivateKey: issuerKey)
    }
}
