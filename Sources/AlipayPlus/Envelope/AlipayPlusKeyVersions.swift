public import AlipayPlusValues
public import Foundation
public import PaymentCrypto

/// The public keys that one client, or Alipay+, has registered, under their versions.
///
/// The version in the header chooses; no other key is tried. Rotation adds the next version, and retires the old one later.
public struct AlipayPlusKeyVersions: Sendable {
    private var ring: KeyRing<PublicKey>

    /// `unusable-key` unless every key is an RSA key; at least 2048 bits is held by `PublicKey` itself.
    public init(_ keys: [Int: PublicKey]) throws(AlipayPlusError) {
        ring = KeyRing()
        for (version, key) in keys.sorted(by: { $0.key < $1.key }) { try register(key, version: version) }
    }

    /// Adds a key beside those that are there. `unusable-key` for one that is not RSA, a negative version, or one that is taken.
    public mutating func register(_ key: PublicKey, version: Int) throws(AlipayPlusError) {
        guard case .rsa = key.kind, version >= 0 else {
            throw AlipayPlusError(code: .unusableKey, reason: "key version \(version) is not an RSA key under a number")
        }
        do { try ring.add(Self.id(version), key) } catch {
            throw AlipayPlusError(code: .unusableKey, reason: "key version \(version) is registered already")
        }
    }

    /// From now on messages of this version are refused. `unknown-key-version`.
    public mutating func retire(version: Int, at instant: Date) throws(AlipayPlusError) {
        do { try ring.retire(Self.id(version), at: instant) } catch { throw Self.unknown(version) }
    }

    /// In the order in which they were registered, without the retired ones.
    public var versions: [Int] { ring.list.filter { $0.state != .retired }.compactMap { Int($0.id.description) } }

    /// `unknown-key-version` for one that is not registered, or was retired.
    public func key(version: Int) throws(AlipayPlusError) -> PublicKey {
        do { return try ring.key(Self.id(version)) } catch { throw Self.unknown(version) }
    }

    private static func id(_ version: Int) -> KeyID { KeyID(String(version)) }

    private static func unknown(_ version: Int) -> AlipayPlusError {
        AlipayPlusError(code: .unknownKeyVersion, reason: "keyVersion \(version) is not registered for this client")
    }
}
