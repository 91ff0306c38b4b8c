public import Foundation

/// <https://developer.apple.com/documentation/cryptokit/digest>
@available(iOS 13, *)
public protocol Digest: Sequence where Element == UInt8 {}

/// <https://developer.apple.com/documentation/cryptokit/sha256digest>
@available(iOS 13, *)
public struct SHA256Digest: Digest {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

/// <https://developer.apple.com/documentation/cryptokit/sha256>
@available(iOS 13, *)
public struct SHA256 {
    /// <https://developer.apple.com/documentation/cryptokit/sha256/hash(data:)>
    @available(iOS 13, *)
    public static func hash<D: DataProtocol>(data: D) -> SHA256Digest { SHA256Digest() }
}
