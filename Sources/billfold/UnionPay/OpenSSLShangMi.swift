import Foundation
import PaymentCryptoOpenSSL
import UnionPay

/// SM3 and SM2 by OpenSSL, for UnionPay's methods 12 and 21.
struct OpenSSLShangMi: SM3Digester {
    func sm3(_ message: [UInt8]) throws -> [UInt8] { try SM3.hash(message) }

    struct Signer: SM2MessageSigner {
        var key: SM2PrivateKey
        func sm2Signature(_ message: [UInt8], userID: [UInt8]) throws -> [UInt8] {
            try key.signature(over: message, userID: userID, form: .der)
        }
    }

    struct Verifier: SM2MessageVerifier {
        var key: SM2PublicKey
        func isValidSM2Signature(_ signature: [UInt8], for message: [UInt8], userID: [UInt8]) -> Bool {
            key.isValidSignature(signature, over: message, userID: userID)
        }
    }
}
