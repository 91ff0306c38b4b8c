import Crypto
public import Foundation

/// A 256-bit key for sealing at rest. It prints as its kind alone.
public struct SealingKey: Sendable, CustomStringConvertible {
    let key: SymmetricKey

    /// Takes exactly 32 bytes; throws `invalid-parameter` otherwise.
    public init(bytes: some ContiguousBytes) throws(PaymentCryptoError) {
        let key = SymmetricKey(data: bytes)
        guard key.bitCount == 256 else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "a sealing key has 32 bytes")
        }
        self.key = key
    }

    public var description: String { "sealing key" }
}

extension SealingKey: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
