import PaymentCrypto

/// What is stored of a value that must be recognised but never read back: an order's client secret, an API key, a card
/// number.
///
/// HMAC-SHA256 under a key that lies outside the database, so a stolen database alone does not allow guessing.
public struct KeyedHash: Sendable, Hashable {
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - value: What is to be recognised, of any length; it is not kept.
    ///   - purpose: Separates uses of one key; the hash of a value for one purpose says nothing about another.
    ///   - key: The secret of the servers that compare such hashes. Under another key nothing stored is recognised.
    @inlinable
    public init(of value: some Sequence<UInt8>, purpose: String, key: HashingKey) {
        // The caller's module knows the sequence: byte by byte through its witness table costs more than the hash.
        self.init(ofBytes: Array(value), purpose: purpose, key: key)
    }

    @usableFromInline
    init(ofBytes value: [UInt8], purpose: String, key: HashingKey) {
        var text: [UInt8] = []
        text.reserveCapacity(purpose.utf8.count + 1 + value.count)
        text.append(contentsOf: purpose.utf8)
        text.append(0)
        text.append(contentsOf: value)
        bytes = key.code(of: text)
    }

    /// Wraps a hash that was stored.
    public init(stored bytes: [UInt8]) { self.bytes = bytes }

    /// Compares in time that depends on the lengths alone.
    public func matches(_ other: KeyedHash) -> Bool { ConstantTime.equal(bytes, other.bytes) }
}
