import Crypto
public import Foundation

/// HMAC-SHA256 of values that must be found again but never read, such as card numbers.
///
/// A plain hash of a card number can be reversed by trying all numbers; the key is what prevents it.
public struct KeyedHash: Sendable, CustomStringConvertible {
    private let key: SealingKey

    public init(key: SealingKey) { self.key = key }

    /// 32 bytes, equal for equal values. `domain` keeps hashes for different purposes apart.
    public func hash(_ value: some ContiguousBytes, domain: String) -> [UInt8] {
        var code = HMAC<SHA256>(key: key.key)
        let domain = Array(domain.utf8)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: domain.count).bigEndian) { code.update(data: $0) }
        code.update(data: domain)
        value.withUnsafeBytes { code.update(data: $0) }
        return Array(code.finalize())
    }

    /// Compares in constant time.
    public func matches(_ expected: some ContiguousBytes, value: some ContiguousBytes, domain: String) -> Bool {
        ConstantTime.equal(hash(value, domain: domain), expected)
    }

    public var description: String { "keyed hash" }
}

extension KeyedHash: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
