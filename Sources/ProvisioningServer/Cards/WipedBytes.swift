public import PaymentCrypto

/// Bytes that are overwritten before their memory is given back.
public typealias WipedBytes = SecretBytes

extension SecretBytes {
    /// Lends the bytes for the time of a call. They must not be kept.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result { try withUnsafeBytes(body) }
}
