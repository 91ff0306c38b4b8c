/// Signs messages with one private key that may be held elsewhere, such as in a hardware module.
///
/// ``MessageSigner`` is for keys that answer at once.
public protocol RemoteMessageSigner: Sendable {
    /// The key that the signatures verify under, known without asking anybody.
    var publicKey: PublicKey { get }

    /// Signs the message, hashed by the algorithm's digest. It may hold a card number. Throws `unsupported-algorithm`, `signing-failed`, or
    /// `key-store-unavailable` when whoever holds the key cannot be asked.
    func signature(over message: SecretBytes, algorithm: SignatureAlgorithm) async throws(PaymentCryptoError) -> [UInt8]
}

/// A key of this process, where a remote one is expected.
public struct LocalMessageSigner<Signer: MessageSigner>: RemoteMessageSigner {
    private let signer: Signer

    public init(_ signer: Signer) { self.signer = signer }

    public var publicKey: PublicKey { signer.publicKey }

    public func signature(over message: SecretBytes, algorithm: SignatureAlgorithm) throws(PaymentCryptoError) -> [UInt8] {
        try signer.signature(over: message, algorithm: algorithm)
    }
}
