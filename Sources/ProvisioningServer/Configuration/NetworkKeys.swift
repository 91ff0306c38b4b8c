public import PaymentCrypto
import Synchronization

/// What an issuer shares with the networks, each key under the name that its network knows it by. The name goes with what was made.
public struct NetworkKeys: Sendable {
    /// Visa zone keys by key set, such as `405551.1`; the active one encrypts.
    public var visa = KeyRing<any TripleDESKey>()
    /// Keys for Mastercard's authentication value by alias; the active one signs.
    public var mastercard = KeyRing<any RemoteMessageSigner>()

    public init() {}

    /// Fetches the named keys from a store, the active one last in each list. Throws `unknown-key` or `key-store-unavailable`.
    public init(visa: [KeyID], mastercard: [KeyID], from store: any IssuerKeyStore) async throws(PaymentCryptoError) {
        for id in visa { try self.visa.add(id, await store.tripleDESKey(id)) }
        for id in mastercard { try self.mastercard.add(id, await store.signer(id)) }
    }
}

/// Keys as they are now. They are exchanged whole while the server runs.
final class KeyRegister<Keys: Sendable>: Sendable {
    private let held: Mutex<Keys>

    init(_ keys: Keys) { held = Mutex(keys) }

    var current: Keys { held.withLock { $0 } }

    func replace(_ keys: Keys) { held.withLock { $0 = keys } }
}
