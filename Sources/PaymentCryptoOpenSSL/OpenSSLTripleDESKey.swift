public import PaymentCrypto

/// A two-part triple DES key held by this process: CBC, an initial vector of zeros, no padding.
public struct OpenSSLTripleDESKey: TripleDESDecryptionKey, CustomStringConvertible {
    private let cipher: TripleDES

    /// Takes 16 bytes; throws `malformed-key` for another length.
    public init(_ key: [UInt8]) throws(PaymentCryptoError) {
        guard key.count == 16, let cipher = try? TripleDES(key: key) else {
            throw PaymentCryptoError(code: .malformedKey, reason: "a two-part triple DES key has 16 bytes, not \(key.count)")
        }
        self.cipher = cipher
    }

    public func encrypt(_ blocks: [UInt8]) throws(PaymentCryptoError) -> [UInt8] {
        try run(blocks, failure: .encryptionFailed) { try cipher.encrypt($0, mode: Self.mode) }
    }

    public func decrypt(_ blocks: [UInt8]) throws(PaymentCryptoError) -> [UInt8] {
        try run(blocks, failure: .decryptionFailed) { try cipher.decrypt($0, mode: Self.mode) }
    }

    private static let mode = TripleDES.Mode.cbc([UInt8](repeating: 0, count: 8))

    private func run(
        _ blocks: [UInt8], failure: PaymentCryptoError.Code, _ body: ([UInt8]) throws -> [UInt8]
    ) throws(PaymentCryptoError) -> [UInt8] {
        guard blocks.count.isMultiple(of: 8) else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "\(blocks.count) bytes are no whole blocks of 8")
        }
        do {
            return try body(blocks)
        } catch {
            throw PaymentCryptoError(code: failure, reason: "triple DES failed")
        }
    }

    public var description: String { "triple DES key" }
}
