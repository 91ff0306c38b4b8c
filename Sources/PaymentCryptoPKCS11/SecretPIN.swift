public import BillfoldDiagnosis
public import PaymentCrypto

/// A token's PIN: read from a file that its owner alone can read, never from a command line or the environment.
public struct SecretPIN: Sendable {
    private let bytes: Secret<[UInt8]>

    public init(_ pin: Secret<String>) { bytes = Secret(Array(pin.reveal().utf8)) }

    /// Reads the file's first line. Throws `key-store-exposed` when others may read it, `key-store-unavailable` when it cannot be read
    /// or is empty.
    public init(file path: String) throws(PaymentCryptoError) {
        let line = try PrivateFile.read(path, upTo: 4_096).prefix { $0 != 0x0A && $0 != 0x0D }
        guard !line.isEmpty else { throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "the PIN's file is empty") }
        bytes = Secret(Array(line))
    }

    func withBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
        var copy = bytes.reveal()
        defer { copy.wipe() }
        return copy.withUnsafeMutableBufferPointer { body($0) }
    }
}
