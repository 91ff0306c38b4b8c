import PaymentCrypto

/// Signs with an RSA key behind ``PaymentCrypto/MessageSigner``, whatever library holds it.
struct RSAKeySigner: RSAMessageSigner {
    let key: any MessageSigner

    func rsaSignatureSHA256(_ message: [UInt8]) throws -> [UInt8] {
        try key.signature(over: message, algorithm: .rsaPKCS1SHA256)
    }
}
