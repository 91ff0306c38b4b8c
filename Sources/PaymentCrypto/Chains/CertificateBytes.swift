/// A certificate's bytes as the key of a cache: compared whole, and hashed by their end, which is part of the signature and so
/// differs between any two. Hashing all of them would cost a good part of what the cache saves.
///
/// For caches that strangers cannot fill, since they could make certificates of one end.
package struct CertificateBytes: Hashable, Sendable {
    private let der: [UInt8]

    package init(_ der: [UInt8]) { self.der = der }

    package func hash(into hasher: inout Hasher) {
        der.suffix(16).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
