import Alipay
import AlipayPlusServer
import AlipayServer
import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import CardPaymentsServer
import Crypto
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import ProvisioningServer
import UnionPay
import WalletServer

/// Keys and counterparties that the servers' examples are handed.
enum ServerExampleParties {
    /// What whoever calls a server of ours shows it.
    static let bearer = "example_bearer_0123456789abcdef"

    private static func bytes() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    private static func sealer() throws -> EnvelopeSealer {
        EnvelopeSealer(ring: KeyRing(active: "sealing-1", try SealingKey(bytes: bytes())))
    }

    // MARK: Cards

    static let endpoints = CardPaymentsConfiguration.Endpoints(
        transaction: "https://acquirer.example/gateway/api/backTransReq.do", query: "https://acquirer.example/gateway/api/queryTrans.do",
        file: "https://files.acquirer.example/", notification: "https://shop.example/unionpay/notify")

    static func cardKeys() throws -> CardPaymentsConfiguration.Keys {
        CardPaymentsConfiguration.Keys(
            audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256), sealer: try sealer())
    }

    /// A merchant whose acquirer takes a shared key (method 11).
    static func merchant() throws -> MerchantProfile {
        var random = SystemRandomNumberGenerator()
        let identifier = "merchant.example.shop"
        let key = try ProcessingKey(.p256(P256PrivateKey(using: &random)), merchantIdentifier: identifier)
        let shared = Secret("a key that both sides keep to themselves")
        return MerchantProfile(
            id: try BillfoldPayments.MerchantID("shop"), applePayIdentifier: identifier, processingKeys: try .processing([key]),
            acquirerID: try UnionPay.MerchantID("777290058167151"), signer: UnionPaySigner(.secureKeySHA256(shared)),
            verifier: UnionPayVerifier(.secureKeySHA256(shared)))
    }

    // MARK: Provisioning

    static func issuerKeys() throws -> ProvisioningConfiguration.Keys {
        ProvisioningConfiguration.Keys(
            audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256), sealer: try sealer())
    }

    static func networkKeys() throws -> NetworkKeys {
        var keys = NetworkKeys()
        try keys.visa.add("405551.1", OpenSSLTripleDESKey(Array(bytes().prefix(16))))
        return keys
    }

    /// A processor that has one card for everybody who asks.
    struct OneCard: CardSource {
        func cards(of customer: String) async throws -> SourceAnswer {
            let secrets = CardSecrets(
                primaryAccountNumber: SecretBytes(Array("4055510000000004".utf8)), expiration: "12/30", contacts: [])
            let card = try SourceCard(
                id: "card-1", customer: customer, network: .visa, status: .active, cardholderName: "JANE SPECIMEN", secrets: secrets)
            return SourceAnswer(cards: [card])
        }
    }

    // MARK: Alipay

    static func orderGatewayKeys() throws -> OrderGatewayKeys {
        let now = Date()
        return OrderGatewayKeys(
            audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256), sealer: try sealer(),
            partners: try LegacyRSAPrivateKey(bits: 1024), platform: try LegacyRSAPrivateKey(bits: 1024),
            authority: try OrderGatewayAuthority.make(
                key: RSAPrivateKey(bits: 2048), serialNumber: [1], from: now.addingTimeInterval(-86_400),
                to: now.addingTimeInterval(86_400)),
            signer: { algorithm, key in algorithm == .rsa ? AlipayRSASigner.rsa(key) : AlipayRSASigner.rsa2(key) })
    }

    static let wallet = AlipayServerConfiguration.Wallet(
        id: "ALIPAY_CN", origin: "http://127.0.0.1:9", bearer: Secret("example_wallet_0123456789abcdef"),
        credential: Secret("example_gateway_0123456789abcdef"))

    // MARK: Alipay+

    static func acquiringGatewayKeys() throws -> AlipayPlusGatewayKeys {
        AlipayPlusGatewayKeys(
            audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256), sealer: try sealer(),
            acquirerSide: try RSAPrivateKey(bits: 2048), walletSide: try RSAPrivateKey(bits: 2048))
    }

    /// What an acquirer registers itself with.
    static func acquirer() throws -> String {
        let key = StrictBase64.encode(try RSAPrivateKey(bits: 2048).publicKey.subjectPublicKeyInfo)
        return """
            {"clientId":"SANDBOX_ACQUIRER1","acquirerId":"1022188000000001","name":"Corner Acquiring",
            "keys":[{"version":1,"publicKey":"\(key)"}],"settlementCurrency":"SGD","agreementId":"AG-1",
            "merchants":[{"id":"MER-0001","name":"Corner Tea","mcc":"5411"}]}
            """
    }

    // MARK: Wallet

    static func walletKeys() -> WalletConfiguration.Keys {
        WalletConfiguration.Keys(audit: SymmetricKey(size: .bits256), hashing: SymmetricKey(size: .bits256))
    }

    static let gateway = WalletConfiguration.Gateway(
        origin: "https://gateway.example", credential: Secret("example_wallet_0123456789abcdef"),
        callerKey: Secret("example_gateway_0123456789abcdef"))
}
