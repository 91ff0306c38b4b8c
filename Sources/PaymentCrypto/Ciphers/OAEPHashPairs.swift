/// A hash function of OAEP, by the name that errors and evidence use.
public enum OAEPHash: String, Sendable, Hashable, CaseIterable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
}

/// Wraps and unwraps with any pair of OAEP hash and MGF1 hash, which swift-crypto cannot.
///
/// No library for phones may depend on OpenSSL: the command line and tests pass an implementation in. Without one Apple Pay's
/// doctor cannot name the hash pair and says only that the wrapped key does not open with SHA-256.
public protocol OAEPHashPairs: Sendable {
    /// Returns nil when the wrapped key does not open under this pair.
    func unwrap(_ wrapped: [UInt8], privateKeyDER: [UInt8], hash: OAEPHash, mask: OAEPHash) -> [UInt8]?
    /// Returns nil when the secret cannot be wrapped for this key.
    func wrap(_ secret: [UInt8], subjectPublicKeyInfo: [UInt8], hash: OAEPHash, mask: OAEPHash) -> [UInt8]?
}
