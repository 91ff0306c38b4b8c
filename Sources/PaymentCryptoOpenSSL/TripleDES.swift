import CLibcrypto
public import Foundation

/// Triple DES without padding, for old payment formats that prescribe it. Not for anything new.
public struct TripleDES: Sendable, CustomStringConvertible {
    /// How blocks are chained.
    public enum Mode: Sendable {
        case ecb
        /// With an initial vector of 8 bytes.
        case cbc([UInt8])
    }

    private let key: [UInt8]

    /// Takes a key of two parts (16 bytes, the first is used again as the third) or three (24 bytes).
    public init(key: [UInt8]) throws(PaymentCryptoOpenSSLError) {
        switch key.count {
        case 16: self.key = key + key[..<8]
        case 24: self.key = key
        default: throw PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "a triple DES key has 16 or 24 bytes")
        }
    }

    /// Encrypts whole blocks of 8 bytes.
    public func encrypt(_ plain: some ContiguousBytes, mode: Mode) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        try run(plain, mode, encrypts: true)
    }

    /// Decrypts whole blocks of 8 bytes. There is no integrity check: the caller's format must have one.
    public func decrypt(_ cipher: some ContiguousBytes, mode: Mode) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        try run(cipher, mode, encrypts: false)
    }

    private func run(
        _ input: some ContiguousBytes, _ mode: Mode, encrypts: Bool
    ) throws(PaymentCryptoOpenSSLError) -> [UInt8] {
        let bytes = input.withUnsafeBytes { [UInt8]($0) }
        var vector: [UInt8]?
        if case .cbc(let given) = mode { vector = given }
        guard bytes.count.isMultiple(of: 8), bytes.count <= 1 << 24, vector?.count ?? 8 == 8 else {
            throw PaymentCryptoOpenSSLError(code: .invalidParameter, reason: "triple DES takes whole blocks of 8 bytes")
        }
        guard let context = EVP_CIPHER_CTX_new() else {
            throw PaymentCryptoOpenSSLError(code: .libraryFailure, reason: "no memory for a cipher")
        }
        defer { EVP_CIPHER_CTX_free(context) }
        let cipher = vector == nil ? EVP_des_ede3_ecb() : EVP_des_ede3_cbc()
        var output = [UInt8](repeating: 0, count: bytes.count + 8)
        var count: Int32 = 0
        var rest: Int32 = 0
        guard EVP_CipherInit_ex(context, cipher, nil, key, vector, encrypts ? 1 : 0) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, &output, &count, bytes, Int32(bytes.count)) == 1,
            EVP_CipherFinal_ex(context, nil, &rest) == 1
        else {
            ERR_clear_error()
            throw PaymentCryptoOpenSSLError(code: .libraryFailure, reason: "triple DES failed")
        }
        return Array(output[..<Int(count)])
    }

    public var description: String { "triple DES key" }
}

extension TripleDES: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
