import PaymentCrypto
import PaymentCryptoOpenSSL

/// OAEP with any pair of hashes, as the command line passes it in.
struct OpenSSLHashPairs: OAEPHashPairs {
    private static func name(_ hash: OAEPHash) -> OpenSSLHash {
        switch hash {
        case .sha1: .sha1
        case .sha256: .sha256
        }
    }

    func unwrap(_ wrapped: [UInt8], privateKeyDER: [UInt8], hash: OAEPHash, mask: OAEPHash) -> [UInt8]? {
        try? OpenSSLRSAKey(der: privateKeyDER).openOAEP(wrapped, hash: Self.name(hash), maskHash: Self.name(mask))
    }

    func wrap(_ secret: [UInt8], subjectPublicKeyInfo: [UInt8], hash: OAEPHash, mask: OAEPHash) -> [UInt8]? {
        try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: subjectPublicKeyInfo).sealOAEP(
            secret, hash: Self.name(hash), maskHash: Self.name(mask))
    }
}
