import ApplePay
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// What the provisioning commands are given. What cannot be read is wrong usage.
enum ProvisioningInput {
    /// The leaf of a PEM file: the marked certificate, or the only one.
    static func leaf(_ path: String) throws -> PublicKey {
        let certificates = try ApplePayInput.anchors(path)
        let marked = certificates.filter { $0.certificateExtension(.provisioningEncryption) != nil }
        guard let leaf = marked.count == 1 ? marked.first : certificates.count == 1 ? certificates.first : nil else {
            throw CommandFailure(.usage, code: "leaf-count", reason: "\(path) holds \(marked.count) marked leaves, one is due")
        }
        return try leaf.publicKey
    }

    /// Bytes as they are, or as base64 text with a line break at its end.
    static func bytes(_ path: String) throws -> [UInt8] {
        let bytes = try CommandFile.read(path)
        let text = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard bytes.dropFirst(text.count).allSatisfy({ $0 == 0x0A || $0 == 0x0D }), !text.isEmpty,
            let letters = String(validating: text, as: UTF8.self), let decoded = try? StrictBase64.decode(letters)
        else { return bytes }
        return decoded
    }

    static func base64(_ text: String, _ option: String) throws -> [UInt8] {
        guard let bytes = try? StrictBase64.decode(text) else {
            throw CommandFailure(.usage, code: "malformed-base64", reason: "\(option) is not base64")
        }
        return bytes
    }

    /// A two-part triple DES key: a file with 32 hexadecimal digits.
    static func tripleDESKey(_ path: String) throws -> OpenSSLTripleDESKey {
        guard let bytes = try? Hexadecimal.decode(CommandFile.firstLine(path).trimmingCharacters(in: .whitespaces)), bytes.count == 16
        else {
            throw CommandFailure(.usage, code: "malformed-key", reason: "\(path) holds no 32 hexadecimal digits")
        }
        return try OpenSSLTripleDESKey(bytes)
    }
}
