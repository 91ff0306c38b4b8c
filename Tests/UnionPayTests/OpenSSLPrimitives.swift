import BillfoldDiagnosis
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import UnionPay
import UnionPayDiagnosis
import X509

/// What UnionPay has passed in, by OpenSSL. The executable has its own of the same kind: the library itself may not import
/// OpenSSL, and neither may its tests import the executable.
struct OpenSSLSM3: SM3Digester {
    func sm3(_ message: [UInt8]) throws -> [UInt8] { try SM3.hash(message) }
}

struct OpenSSLSM2Signer: SM2MessageSigner {
    var key: SM2PrivateKey
    func sm2Signature(_ message: [UInt8], userID: [UInt8]) throws -> [UInt8] {
        try key.signature(over: message, userID: userID, form: .der)
    }
}

struct OpenSSLSM2Verifier: SM2MessageVerifier {
    var key: SM2PublicKey
    func isValidSM2Signature(_ signature: [UInt8], for message: [UInt8], userID: [UInt8]) -> Bool {
        key.isValidSignature(signature, over: message, userID: userID)
    }
}

struct OpenSSLPKCS12: PKCS12Opener {
    func open(_ bytes: [UInt8], password: Secret<String>, rounds: inout Int) -> PKCS12Opening {
        do {
            let archive = try PKCS12Archive(der: bytes, password: password.reveal(), rounds: &rounds)
            return .opened(
                key: try Certificate.PrivateKey(pemDocument: PEMDocument(type: "PRIVATE KEY", derBytes: archive.privateKeyDER)),
                certificate: try Certificate(derEncoded: archive.certificate.der))
        } catch {
            return (error as? PaymentCryptoOpenSSLError)?.rounds.map { .tooCostly(rounds: $0) } ?? .closed
        }
    }

    /// The key and its certificate; nil for a wrong password.
    func open(_ bytes: [UInt8], password: Secret<String>) -> (key: Certificate.PrivateKey, certificate: Certificate)? {
        var rounds = Int.max
        guard case .opened(let key, let certificate) = open(bytes, password: password, rounds: &rounds) else { return nil }
        return (key, certificate)
    }
}

struct OpenSSLRecovery: SignatureRecovery {
    func recover(_ signature: [UInt8], key: Certificate.PublicKey) -> (hash: String, digest: [UInt8])? {
        guard let der = try? key.serializeAsPEM().derBytes, let key = try? OpenSSLRSAPublicKey(subjectPublicKeyInfo: der),
            case .digest(let info)? = try? key.recover(signature).content
        else { return nil }
        return ("\(info.algorithm)", info.digest)
    }
}
