import Foundation
import PaymentCrypto

/// What the Apple Pay commands and the doctor are given. What cannot be read is refused.
enum CommandInput {
    /// The certificates of a PEM file to be trusted; a file without one is refused as a file, not the token as untrusted.
    static func anchors(_ path: String) throws -> [ParsedCertificate] {
        let anchors = try ParsedCertificate.all(pem: CommandFile.text(path))
        guard !anchors.isEmpty else { throw CommandFailure(.refused, code: "unreadable-file", reason: "\(path) holds no certificate") }
        return anchors
    }

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
