#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A certificate's bytes as the key of a cache: compared whole, and hashed by their end, which is part of the signature and so
/// differs between any two. Hashing all of them would cost a good part of what the cache saves.
///
/// For caches that strangers cannot fill, since they could make certificates of one end.
package struct CertificateBytes: Hashable, Sendable {
    private let der: [UInt8]

    package init(_ der: [UInt8]) { self.der = der }

    /// An array compares element by element.
    package static func == (left: Self, right: Self) -> Bool {
        left.der.withUnsafeBytes { one in
            right.der.withUnsafeBytes { other in
                guard one.count == other.count, let a = one.baseAddress, let b = other.baseAddress else { return one.count == other.count }
                return memcmp(a, b, one.count) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        der.suffix(16).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
