public import Foundation

/// Signs messages with one private key, wherever that key is held: in this process, in OpenSSL, in a hardware module.
public protocol MessageSigner: Sendable {
    /// The key that the signatures verify under.
    var publicKey: PublicKey { get }

    /// Signs the message (hashed inside by the algorithm's digest). ECDSA signatures are DER, RSA ones are as long as the
    /// modulus. Throws `unsupported-algorithm` when the algorithm does not fit the key.
    func signature(over message: some ContiguousBytes, algorithm: SignatureAlgorithm) throws(PaymentCryptoError) -> [UInt8]
}
