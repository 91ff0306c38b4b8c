import Crypto
public import Foundation

/// Names one key in a ring. For merchant keys it is the base64 `publicKeyHash` of the wallet token's header.
public struct KeyID: Hashable, Sendable, Comparable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    public let description: String

    public init(_ text: String) { description = text }

    public init(stringLiteral value: String) { description = value }

    /// The id of a key by its public half: base64 of SHA-256 over its SubjectPublicKeyInfo (apple-pay.md#token). [V]
    public init(publicKey: PublicKey) { self.init(publicKeyHash: publicKey.sha256) }

    /// The id by the 32 decoded bytes of a token header's `publicKeyHash`.
    public init(publicKeyHash: some ContiguousBytes) { description = StrictBase64.encode(publicKeyHash) }

    public init(from decoder: any Decoder) throws {
        description = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// By their bytes: ids that look alike are not the same.
    public static func == (left: KeyID, right: KeyID) -> Bool { left.description.utf8.elementsEqual(right.description.utf8) }

    public func hash(into hasher: inout Hasher) {
        var text = description
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    public static func < (left: KeyID, right: KeyID) -> Bool { left.description < right.description }
}
