import Alipay
import AlipayServer
import BillfoldDiagnosis
import BillfoldServer
import BillfoldStorage
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// The gateway's own keys in its data folder, made when they are first asked for and sealed at rest.
enum AlipayGatewayKeys {
    /// What a gateway that has been started keeps there.
    static let files = [
        "audit.key", "hashing.key", "sealing.key", "alipay-partners.key", "alipay-platform.key", "alipay-authority.key", "alipay-root.pem",
    ]

    static func load(_ folder: DataFolder, at now: Timestamp) throws -> OrderGatewayKeys {
        let authorityKey = try RSAPrivateKey(der: folder.rsa("alipay-authority"))
        let root = try folder.secret("alipay-root.pem") {
            let now = Date(timeIntervalSince1970: TimeInterval(now.microseconds) / 1_000_000)
            let office = try OrderGatewayAuthority.make(
                key: authorityKey, serialNumber: [1] + SystemRandomness.bytes(15), from: now.addingTimeInterval(-86_400),
                to: now.addingTimeInterval(20 * 365 * 86_400))
            return Array(office.root.pem.utf8)
        }
        return OrderGatewayKeys(
            audit: SymmetricKey(data: try folder.symmetric("audit").reveal()),
            hashing: SymmetricKey(data: try folder.symmetric("hashing").reveal()), sealer: try folder.sealer(),
            partners: try LegacyRSAPrivateKey(der: folder.rsa("alipay-partners")),
            platform: try LegacyRSAPrivateKey(der: folder.rsa("alipay-platform")),
            authority: OrderGatewayAuthority(
                root: try ParsedCertificate(pem: String(decoding: root.reveal(), as: UTF8.self)), key: authorityKey),
            signer: { algorithm, key in
                let held = try RSALibrary.faster(tryingWith: authorityKey).signer(key)
                return algorithm == .rsa ? AlipayRSASigner.rsa(held) : AlipayRSASigner.rsa2(held)
            })
    }
}
