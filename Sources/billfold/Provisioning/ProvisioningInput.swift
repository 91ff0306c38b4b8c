import ApplePay
import BillfoldJSON
import Foundation
import PaymentCrypto
import PaymentCryptoOpenSSL

/// What the provisioning commands are given. What cannot be read is refused.
enum ProvisioningInput {
    /// The leaf of a file, PEM or DER: the marked certificate, or the only one, which is no authority.
    static func leaf(_ path: String) throws -> PublicKey {
        let certificates = try CommandInput.anchors(path)
        let marked = certificates.filter { $0.certificateExtension(.provisioningEncryption) != nil }
        guard let leaf = marked.count == 1 ? marked.first : certificates.count == 1 ? certificates.first : nil else {
            throw CommandFailure(.refused, code: "leaf-count", reason: "\(path) holds \(marked.count) marked leaves, one is due")
        }
        guard !leaf.isCertificateAuthority else {
            throw CommandFailure(.refused, code: "leaf-count", reason: "\(path) is an authority's certificate, not the broker's leaf")
        }
        return try leaf.publicKey
    }

    /// Bytes as they are, as base64 text with a line break at its end, or as the member of an answer that another command gave.
    static func bytes(_ path: String, member: String) throws -> [UInt8] {
        try bytes(try CommandFile.read(path), of: path, member: member)
    }

    /// The same of a file that was read already: standard input can be read once.
    static func bytes(_ bytes: [UInt8], of path: String, member: String) throws -> [UInt8] {
        guard !bytes.isEmpty else { throw CommandFailure(.refused, code: "unreadable-file", reason: "\(path) is empty") }
        if let text = (try? JSONReader.readObject(bytes))?[member]?.string { return try base64(text, "\(member) in \(path)") }
        let text = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard bytes.dropFirst(text.count).allSatisfy({ $0 == 0x0A || $0 == 0x0D }), !text.isEmpty,
            let letters = String(validating: text, as: UTF8.self), let decoded = try? StrictBase64.decode(letters)
        else { return bytes }
        return decoded
    }

    /// A text of the answer that another command gave; nil where the file is no JSON object, or has no such text.
    static func member(_ name: String, of file: [UInt8]) -> String? { (try? JSONReader.readObject(file))?[name]?.string }

    static func base64(_ text: String, _ option: String) throws -> [UInt8] {
        guard let bytes = try? StrictBase64.decode(text) else {
            throw CommandFailure(.usage, code: "malformed-base64", reason: "\(option) is not base64")
        }
        return bytes
    }

    /// What a PEM file holds. One that holds something else is refused, and the reason names the file.
    static func key<Key>(_ path: String, as what: String, by read: (String) throws(PaymentCryptoError) -> Key) throws -> Key {
        try key(try CommandFile.text(path), of: path, as: what, by: read)
    }

    /// The same of a file that was read already.
    static func key<Key>(
        _ text: String, of path: String, as what: String, by read: (String) throws(PaymentCryptoError) -> Key
    ) throws -> Key {
        do throws(PaymentCryptoError) {
            return try read(text)
        } catch {
            throw CommandFailure(.refused, code: error.code.description, reason: "\(path) is no \(what): \(error.reason)")
        }
    }

    /// A two-part triple DES key: a file with 32 hexadecimal digits.
    static func tripleDESKey(_ path: String) throws -> OpenSSLTripleDESKey {
        let line = try CommandFile.firstLine(path).trimmingCharacters(in: .whitespaces)
        guard let bytes = try? Hexadecimal.decode(line), bytes.count == 16 else {
            throw CommandFailure(.refused, code: "malformed-key", reason: "\(path) holds no 32 hexadecimal digits")
        }
        return try OpenSSLTripleDESKey(bytes)
    }
}
