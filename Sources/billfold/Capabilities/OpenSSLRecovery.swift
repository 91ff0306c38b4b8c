import AlipayDiagnosis
import AlipayPlusDiagnosis
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import UnionPayDiagnosis
import X509

/// Reads by OpenSSL what an RSA signature signed.
struct OpenSSLRecovery: SignatureRecovery, RSASignatureRecovery, RSAPublicOperation {
    func recover(_ signature: [UInt8], key: Certificate.PublicKey) -> (hash: String, digest: [UInt8])? {
        (try? key.serializeAsPEM().derBytes).flatMap { recover(signature, subjectPublicKeyInfo: $0) }
    }

    func recover(_ signature: [UInt8], key: LegacyRSAPublicKey) -> (hash: String, digest: [UInt8])? {
        recover(signature, subjectPublicKeyInfo: key.subjectPublicKeyInfo)
    }

    func encodedMessage(_ signature: [UInt8], key: LegacyRSAPublicKey) -> [UInt8]? {
        (try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo).recover(signature))?.encodedMessage
    }

    private func recover(_ signature: [UInt8], subjectPublicKeyInfo der: [UInt8]) -> (hash: String, digest: [UInt8])? {
        guard let key = try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: der), let recovered = try? key.recover(signature) else { return nil }
        switch recovered.content {
        case .digest(let info): return (Self.name(info.algorithm), info.digest)
        case .unwrapped(let bytes): return ("none", bytes)
        case .unrecognised: return nil
        }
    }

    /// The hash's usual name, or its object identifier when it is none of those.
    private static func name(_ algorithm: OID) -> String {
        switch algorithm {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha384: "SHA-384"
        case .sha512: "SHA-512"
        default: "\(algorithm)"
        }
    }
}
