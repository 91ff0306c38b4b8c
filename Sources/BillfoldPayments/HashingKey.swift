public import Crypto

/// A key of HMAC-SHA256 that hashes many short texts: what HMAC makes of a key is the larger half of its work on one, and is done once.
public struct HashingKey: Sendable {
    private let keyed: HMAC<SHA256>

    public init(_ key: SymmetricKey) { keyed = HMAC(key: key) }

    func code(of text: [UInt8]) -> [UInt8] {
        var copy = keyed
        copy.update(data: text)
        // At once: as a sequence a code is copied byte by byte.
        return copy.finalize().withUnsafeBytes { Array($0) }
    }
}
