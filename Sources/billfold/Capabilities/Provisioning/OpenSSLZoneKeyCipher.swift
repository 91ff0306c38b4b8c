import ApplePayDiagnosis
import PaymentCryptoOpenSSL

/// Triple DES for the doctor of in-app provisioning.
struct OpenSSLZoneKeyCipher: ZoneKeyCipher {
    func decrypt(_ blocks: [UInt8], key: [UInt8]) -> [UInt8]? { try? OpenSSLTripleDESKey(key).decrypt(blocks) }
}
