import PaymentCrypto

/// Two RSA keys of 2048 bits, made once: making one takes a while.
enum ExampleRSAKeys {
    static let pair = Result { (own: try RSAPrivateKey(bits: 2048), other: try RSAPrivateKey(bits: 2048)) }

    static func pkcs8() throws -> (own: [UInt8], other: [UInt8]) {
        let keys = try pair.get()
        return (keys.own.pkcs8, keys.other.pkcs8)
    }
}

/// A party of Alipay with its key, as both sides have it in their files.
struct AlipayParty {
    let privateKey: String
    let publicKey: String

    init() throws {
        let key = try LegacyRSAPrivateKey(bits: 1024)
        privateKey = PEMText.Block(label: "PRIVATE KEY", bytes: key.pkcs8).text
        publicKey = key.publicKey.pem
    }
}
