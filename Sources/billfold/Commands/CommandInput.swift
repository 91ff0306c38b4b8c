import ApplePay
import Foundation
import PaymentCrypto

/// What the Apple Pay commands and the doctor are given. What cannot be read is refused.
enum CommandInput {
    /// The certificates of a file to be trusted, PEM or one in DER; a file without one is refused as a file, not the token as untrusted.
    static func anchors(_ path: String) throws -> [ParsedCertificate] {
        let bytes = try CommandFile.read(path)
        if isDER(bytes) { return [try ParsedCertificate(der: bytes)] }
        let anchors = try ParsedCertificate.all(pem: String(decoding: bytes, as: UTF8.self))
        guard !anchors.isEmpty else { throw CommandFailure(.refused, code: "unreadable-file", reason: "\(path) holds no certificate") }
        return anchors
    }

    /// A merchant's certificate, PEM, or DER as Apple's portal gives it.
    static func merchantCertificate(_ path: String) throws -> MerchantCertificate {
        let bytes = try CommandFile.read(path)
        if isDER(bytes) { return try MerchantCertificate(ParsedCertificate(der: bytes)) }
        return try MerchantCertificate(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// A private key, PEM or DER.
    static func privateKey(_ path: String) throws -> PrivateKey {
        let bytes = try CommandFile.read(path)
        return try isDER(bytes) ? PrivateKey(der: bytes) : PrivateKey(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether a file begins as certificates and keys in DER do; no text does.
    static func isDER(_ bytes: [UInt8]) -> Bool { bytes.first == 0x30 }

    /// An ISO 8601 instant in UTC, or now.
    static func instant(_ text: String?) throws(CommandFailure) -> Date {
        guard let text else { return Date() }
        guard let instant = try? Date(text, strategy: .iso8601) else {
            throw CommandFailure(
                .usage, code: "wrong-instant", reason: "\(text) is not an ISO 8601 instant such as 2026-11-20T12:00:00Z")
        }
        return instant
    }
}
