import Foundation
public import PaymentCrypto

/// The Signature header of calls between a merchant's server and the super app's: `algorithm=RSA256, keyVersion=1, signature=<base64>`
/// (mini-programs.md#signed-calls [D]).
///
/// The signed text is `POST <path>`, a line feed, and `<client id>.<request time>.<body>`; an answer has its request's path. RSA PKCS#1
/// v1.5 over SHA-256 is the only algorithm.
public struct OpenAPISignature: Sendable, Hashable, CustomStringConvertible {
    public static let algorithm = "RSA256"

    /// Which of the client's registered keys it is; rotation counts up.
    public var keyVersion: Int
    public var bytes: [UInt8]

    public init(keyVersion: Int = 1, bytes: [UInt8]) {
        self.keyVersion = keyVersion
        self.bytes = bytes
    }

    /// The bytes that are signed. The body's exact bytes count, not what they mean.
    public static func signedBytes(path: String, clientID: String, time: String, body: [UInt8]) -> [UInt8] {
        Array("POST \(path)\n\(clientID).\(time).".utf8) + body
    }

    /// Signs a message. `unusable-key` for a key that is no RSA key, or refuses.
    public init(
        path: String, clientID: String, time: String, body: [UInt8], by key: any MessageSigner, keyVersion: Int = 1
    ) throws(MiniProgramError) {
        self.keyVersion = keyVersion
        do {
            bytes = try key.signature(
                over: Self.signedBytes(path: path, clientID: clientID, time: time, body: body), algorithm: .rsaPKCS1SHA256)
        } catch {
            throw MiniProgramError(code: .unusableKey, reason: "the key cannot sign with RSA and SHA-256")
        }
    }

    /// Reads a header: blanks around commas, standard and URL-safe base64, percent-encoded or not. `malformed-signature`.
    public init(header: String) throws(MiniProgramError) {
        func malformed(_ reason: String) -> MiniProgramError { MiniProgramError(code: .malformedSignature, reason: reason) }
        guard header.utf8.count <= 4_096 else { throw malformed("the Signature header has \(header.utf8.count) bytes") }
        var fields: [String: String] = [:]
        for part in header.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw malformed("a part of the Signature header is not name=value") }
            let name = halves[0].trimmingCharacters(in: .whitespaces)
            guard fields.updateValue(halves[1].trimmingCharacters(in: .whitespaces), forKey: name) == nil else {
                throw malformed("the Signature header names \(MiniProgramError.quoted(name)) twice")
            }
        }
        guard fields["algorithm"] == Self.algorithm else { throw malformed("the algorithm is not \(Self.algorithm)") }
        let version = fields["keyVersion"] ?? "1"
        guard let number = Int(version), number >= 0, String(number) == version else { throw malformed("keyVersion is no number") }
        guard let bytes = Self.decode(fields["signature"] ?? "") else { throw malformed("there is no signature in base64") }
        (keyVersion, self.bytes) = (number, bytes)
    }

    private static func decode(_ text: String) -> [UInt8]? {
        guard !text.isEmpty, let letters = PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: false) else { return nil }
        var plain = String(decoding: letters, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
        if !plain.contains("=") { plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4) }
        return try? StrictBase64.decode(plain)
    }

    /// Whether it is this key's over a message.
    public func isValid(path: String, clientID: String, time: String, body: [UInt8], for key: PublicKey) -> Bool {
        key.isValidSignature(
            bytes, over: Self.signedBytes(path: path, clientID: clientID, time: time, body: body), algorithm: .rsaPKCS1SHA256)
    }

    /// The header as it is always written: percent-encoded.
    public var description: String {
        "algorithm=\(Self.algorithm), keyVersion=\(keyVersion), signature=\(PercentEncoding.encode(StrictBase64.encode(bytes).utf8))"
    }
}
