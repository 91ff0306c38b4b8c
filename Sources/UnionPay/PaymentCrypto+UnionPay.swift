public import PaymentCrypto

extension RSAPrivateKey: RSAMessageSigner {
    public func rsaSignatureSHA256(_ message: [UInt8]) throws -> [UInt8] {
        try signature(over: message, algorithm: .rsaPKCS1SHA256)
    }
}
