import AlipayPlusServer
import BillfoldDiagnosis
import BillfoldStorage
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// The acquiring gateway's own keys in its data folder, made when they are first asked for and sealed at rest.
enum AlipayPlusKeys {
    /// What the gateway signs with for acquirers, and for wallets.
    static let (acquirerSide, walletSide) = ("alipay-plus-acquirers", "alipay-plus-wallets")
    /// What a wallet signs with for the gateway.
    static let wallet = "wallet-alipay-plus"

    static func load(_ folder: DataFolder) throws -> AlipayPlusGatewayKeys {
        return AlipayPlusGatewayKeys(
            audit: SymmetricKey(data: try folder.symmetric("audit").reveal()),
            hashing: SymmetricKey(data: try folder.symmetric("hashing").reveal()), sealer: try sealer(folder),
            acquirerSide: try rsa(acquirerSide, folder), walletSide: try rsa(walletSide, folder))
    }

    private static func sealer(_ folder: DataFolder) throws -> EnvelopeSealer {
        EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: folder.symmetric("sealing").reveal())))
    }

    /// A key of a party of Alipay+, made when it is first asked for.
    static func rsa(_ name: String, _ folder: DataFolder) throws -> any MessageSigner {
        let (context, sealer) = (Array(name.utf8), try sealer(folder))
        let sealed = try folder.secret("\(name).key") {
            var generator = SystemRandomNumberGenerator()
            return try sealer.seal(RSAPrivateKey(bits: 2048).pkcs8, context: context, using: &generator)
        }
        return try RSAPrivateKey(der: sealer.open(sealed.reveal(), context: context)).fasterSigner
    }
}
