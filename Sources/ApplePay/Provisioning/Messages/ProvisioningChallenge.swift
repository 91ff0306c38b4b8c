import PaymentCrypto

/// What PassKit hands the app beside the certificates (provisioning.md#nonce). The host copies both values into the payload and
/// cannot verify them; the broker compares them. One use.
public struct ProvisioningChallenge: Sendable, Hashable {
    /// 4 bytes. [O]
    public let nonce: [UInt8]
    /// 81 bytes. [O]
    public let nonceSignature: [UInt8]

    public static let nonceCount = 4
    public static let nonceSignatureCount = 81

    /// How an app's server is told the two values; the two sides must agree (provisioning.md#sequence, step 5).
    public enum Encoding: String, Sendable, Hashable, CaseIterable {
        case hex, base64
    }

    /// Throws `nonce-length` or `nonce-signature-length`.
    public init(nonce: [UInt8], nonceSignature: [UInt8]) throws(ApplePayError) {
        guard nonce.count == Self.nonceCount else {
            throw ApplePayError(code: .nonceLength, reason: "the nonce has \(nonce.count) bytes, not \(Self.nonceCount)")
        }
        guard nonceSignature.count == Self.nonceSignatureCount else {
            throw ApplePayError(
                code: .nonceSignatureLength,
                reason: "the nonce signature has \(nonceSignature.count) bytes, not \(Self.nonceSignatureCount)")
        }
        self.nonce = nonce
        self.nonceSignature = nonceSignature
    }

    /// Reads the two values as texts. Throws `challenge-encoding`, `nonce-length` or `nonce-signature-length`; nothing is guessed, for
    /// eight hexadecimal digits are valid base64 of 6 bytes.
    public init(nonce: String, nonceSignature: String, encoding: Encoding) throws(ApplePayError) {
        try self.init(
            nonce: Self.bytes(nonce, name: "nonce", encoding: encoding),
            nonceSignature: Self.bytes(nonceSignature, name: "nonceSignature", encoding: encoding))
    }

    private static func bytes(_ text: String, name: String, encoding: Encoding) throws(ApplePayError) -> [UInt8] {
        switch encoding {
        case .hex: try TokenField.hex(text, name, code: .challengeEncoding)
        case .base64: try TokenField.base64(text, name, code: .challengeEncoding)
        }
    }

    /// Lower-case hexadecimal, as the payload carries it (provisioning.md#pass-data).
    public var nonceText: String { Hexadecimal.encode(nonce) }
    public var nonceSignatureText: String { Hexadecimal.encode(nonceSignature) }
}
