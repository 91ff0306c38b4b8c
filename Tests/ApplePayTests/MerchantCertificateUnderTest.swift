import BillfoldTestSupport
import Foundation
import PaymentCrypto
import PaymentCryptoIssuing

/// Merchant certificates that no authority would issue.
enum MerchantCertificateUnderTest {
    /// Names its merchant by UID, and its extension is cut short.
    static func damaged(for key: PublicKey, identifier: String) throws -> ParsedCertificate {
        var office = try TestCertificateAuthority(
            notBefore: WalletFixture.now - 86_400, notAfter: WalletFixture.now + 400 * 86_400, seed: 41)
        return try office.merchantCertificate(key, identifier: identifier) { template in
            template.extensions = [CertificateExtension(oid: .merchantIdentifierHash, value: [0x0C, 0x02, 0x61, 0x62])]
        }
    }
}
