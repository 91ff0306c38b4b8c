import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import UnionPay
import X509

/// Reads by OpenSSL what an RSA signature signed.
struct OpenSSLRecovery: SignatureRecovery {
    func recover(_ signature: [UInt8], key: Certificate.PublicKey) -> (hash: String, digest: [UInt8])? {
        guard let der = try? key.serializeAsPEM().derBytes, let key = try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: der),
            let recovered = try? key.recover(signature)
        else { return nil }
        switch recovered.content {
        case .digest(let info): return ("\(info.algorithm)", info.digest)
        case .unwrapped(let bytes): return ("none", bytes)
        case .unrecognised: return nil
        }
    }
}
