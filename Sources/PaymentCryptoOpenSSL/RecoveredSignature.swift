public import PaymentCrypto

/// What the public-key operation finds in an RSA signature.
public struct RecoveredSignature: Sendable {
    /// What the block is seen to hold.
    public enum Content: Sendable, Equatable {
        /// PKCS#1 v1.5 padding around a digest and its algorithm: a signature of this key.
        case digest(DigestInfo)
        /// PKCS#1 v1.5 padding around bytes that are no DigestInfo: signed without hashing.
        case unwrapped([UInt8])
        /// No such padding: another key, another scheme such as PSS, or another message altogether.
        case unrecognised
    }

    /// The whole block, as long as the modulus.
    public let encodedMessage: [UInt8]
    public let content: Content

    init(encodedMessage: [UInt8]) {
        self.encodedMessage = encodedMessage
        let padding = encodedMessage.dropFirst(2).prefix { $0 == 0xFF }
        let rest = encodedMessage.dropFirst(2 + padding.count)
        guard encodedMessage.starts(with: [0, 1]), padding.count >= 8, rest.first == 0 else {
            content = .unrecognised
            return
        }
        let payload = Array(rest.dropFirst())
        content = (try? DigestInfo(der: payload)).map { .digest($0) } ?? .unwrapped(payload)
    }
}
