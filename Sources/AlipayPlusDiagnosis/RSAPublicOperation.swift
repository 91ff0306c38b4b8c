public import PaymentCrypto

/// The RSA operation under a public key: it shows what a signature holds inside of its padding. The implementation is passed in, because it
/// needs OpenSSL.
public protocol RSAPublicOperation: Sendable {
    /// The signature's encoded message, as long as the modulus; nil when the sizes differ.
    func encodedMessage(_ signature: [UInt8], key: LegacyRSAPublicKey) -> [UInt8]?
}

/// What a signature holds, told from its encoded message.
enum SignatureContent {
    /// PKCS#1 v1.5 with this hash.
    case digest(hash: String, digest: [UInt8])
    case pss(PSSBlock)

    /// Nil when this key did not make the signature.
    init?(_ block: [UInt8]) {
        if block.starts(with: [0, 1, 0xFF]), let end = block[2...].firstIndex(of: 0),
            let info = try? DigestInfo(der: Array(block[(end + 1)...]))
        {
            let hash: String =
                switch info.algorithm {
                case .sha1: "SHA-1"
                case .sha256: "SHA-256"
                default: "\(info.algorithm)"
                }
            self = .digest(hash: hash, digest: info.digest)
        } else if let block = PSSBlock(block) {
            self = .pss(block)
        } else {
            return nil
        }
    }
}
