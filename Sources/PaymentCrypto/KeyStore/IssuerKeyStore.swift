/// Where an issuer's network keys are held: a folder, or a hardware module that never gives them out.
///
/// A key is named by what its network calls it: Visa's key set (`405551.1`), Mastercard's key alias. Using one may take a message to
/// a device, so what comes back works asynchronously.
public protocol IssuerKeyStore: Sendable {
    /// The two-part triple DES key of a Visa key set. Throws `unknown-key`, or `key-store-unavailable` when the store cannot be asked.
    func tripleDESKey(_ id: KeyID) async throws(PaymentCryptoError) -> any TripleDESKey
    /// The RSA key that Mastercard knows by an alias. Throws `unknown-key`, or `key-store-unavailable`.
    func signer(_ id: KeyID) async throws(PaymentCryptoError) -> any RemoteMessageSigner
}
