public import Foundation

/// Keys under their ids: one active, any number of old ones that still open messages, and the names of retired ones.
///
/// The key is always chosen by the id in the message, never by trying. A value type: a change makes a new ring, which a
/// server swaps in whole.
public struct KeyRing<Key: Sendable>: Sendable {
    /// A key's name and dates, without the key.
    public struct Listing: Sendable, Hashable {
        public var id: KeyID
        public var state: KeyState
        /// When the key may first be used; nil when nothing says so.
        public var notBefore: Date?
        /// When its certificate ends; nil when nothing says so.
        public var notAfter: Date?
        /// When it was retired.
        public var retiredAt: Date?

        public init(id: KeyID, state: KeyState, notBefore: Date? = nil, notAfter: Date? = nil, retiredAt: Date? = nil) {
            self.id = id
            self.state = state
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.retiredAt = retiredAt
        }
    }

    private var keys: [KeyID: Key] = [:]
    private var listings: [Listing] = []
    /// Kept beside the listings: it is asked for at every message.
    private var inUse: (id: KeyID, key: Key)?

    public init() {}

    /// A ring of one active key.
    public init(active id: KeyID, _ key: Key, notBefore: Date? = nil, notAfter: Date? = nil) {
        keys[id] = key
        listings = [Listing(id: id, state: .active, notBefore: notBefore, notAfter: notAfter)]
        inUse = (id, key)
    }

    /// Every key's name and dates, in the order they were added.
    public var list: [Listing] { listings }

    /// The active key and its id; throws `no-active-key`.
    public var active: (id: KeyID, key: Key) {
        get throws(PaymentCryptoError) {
            guard let inUse else { throw PaymentCryptoError(code: .noActiveKey, reason: "the ring has no active key") }
            return inUse
        }
    }

    /// The active or old key with that id; throws `unknown-key` or `key-retired`.
    public func key(_ id: KeyID) throws(PaymentCryptoError) -> Key {
        if let key = keys[id] { return key }
        if listings.contains(where: { $0.id == id }) {
            throw PaymentCryptoError(code: .keyRetired, reason: "key \(id) was retired")
        }
        throw PaymentCryptoError(code: .unknownKey, reason: "no key \(id) in the ring")
    }

    /// Adds a key. An active one makes the key that was active before it old. Throws `duplicate-key` for a known id.
    public mutating func add(
        _ id: KeyID, _ key: Key, state: KeyState = .active, notBefore: Date? = nil, notAfter: Date? = nil
    ) throws(PaymentCryptoError) {
        guard !listings.contains(where: { $0.id == id }) else {
            throw PaymentCryptoError(code: .duplicateKey, reason: "key \(id) is in the ring already")
        }
        if state == .active {
            demoteActive()
            inUse = (id, key)
        }
        if state != .retired { keys[id] = key }
        listings.append(Listing(id: id, state: state, notBefore: notBefore, notAfter: notAfter))
    }

    /// Makes an old key the active one, and the active one old. Doing it again changes nothing.
    public mutating func activate(_ id: KeyID) throws(PaymentCryptoError) {
        let key = try key(id)
        demoteActive()
        for index in listings.indices where listings[index].id == id { listings[index].state = .active }
        inUse = (id, key)
    }

    /// Forgets a key and keeps its name. Doing it again changes nothing. Throws `unknown-key`.
    public mutating func retire(_ id: KeyID, at instant: Date) throws(PaymentCryptoError) {
        guard let index = listings.firstIndex(where: { $0.id == id }) else {
            throw PaymentCryptoError(code: .unknownKey, reason: "no key \(id) in the ring")
        }
        guard listings[index].state != .retired else { return }
        keys[id] = nil
        if inUse?.id == id { inUse = nil }
        listings[index].state = .retired
        listings[index].retiredAt = instant
    }

    private mutating func demoteActive() {
        for index in listings.indices where listings[index].state == .active { listings[index].state = .old }
    }
}
