import AlipayPlusServer
import BillfoldDiagnosis
import BillfoldServer
import Crypto
import Foundation

/// The acquiring gateway's own keys in its data folder, made when they are first asked for and sealed at rest.
enum AlipayPlusKeys {
    /// What the gateway signs with for acquirers, and for wallets.
    static let (acquirerSide, walletSide) = ("alipay-plus-acquirers", "alipay-plus-wallets")
    /// What a wallet signs with for the gateway.
    static let wallet = "wallet-alipay-plus"

    static func load(_ folder: DataFolder) throws -> AlipayPlusGatewayKeys {
        AlipayPlusGatewayKeys(
            audit: SymmetricKey(data: try folder.symmetric("audit").reveal()),
            hashing: SymmetricKey(data: try folder.symmetric("hashing").reveal()), sealer: try folder.sealer(),
            acquirerSide: try folder.rsaSigner(acquirerSide), walletSide: try folder.rsaSigner(walletSide))
    }
}
