import AlipayPlus
import PaymentCrypto

/// Who a party is towards Alipay+: the name that it was given, and a key of its own.
struct AlipayPlusIdentity: Sendable {
    /// `Client-Id`, in both directions.
    let clientID: String
    let key: RSAPrivateKey
    /// Under which the gateway has registered the key.
    static let keyVersion = 1

    /// - Parameter keys: Where the key lies; made at the first call.
    init(clientID: String, keys: PartyKeys) throws {
        self.clientID = clientID
        let pem = try keys.material("alipay-plus.pem") {
            Array(PEMText.Block(label: "PRIVATE KEY", bytes: try RSAPrivateKey(bits: 2048).pkcs8).text.utf8)
        }
        key = try RSAPrivateKey(pem: String(decoding: pem, as: UTF8.self))
    }

    /// Base64 of the SubjectPublicKeyInfo, as the gateway registers it.
    var publicKeyText: String { StrictBase64.encode(key.publicKey.subjectPublicKeyInfo) }
}
