public import AlipayPlusValues
import Foundation
public import PaymentCrypto

/// The Signature header: `algorithm=RSA256,keyVersion=1,signature=<percent-encoded base64>`.
public struct AlipayPlusSignature: Sendable, Hashable, CustomStringConvertible {
    /// RSASSA-PKCS1-v1_5 with SHA-256: the only algorithm. SHA-1 and PSS are refused, although a public client takes the former [O].
    public static let algorithm = "RSA256"

    /// Which of the client's registered keys it is; rotation counts up.
    public var keyVersion: Int
    public var bytes: [UInt8]

    public init(keyVersion: Int = 1, bytes: [UInt8]) {
        self.keyVersion = keyVersion
        self.bytes = bytes
    }

    /// Reads a header. Blanks around the commas, standard and URL-safe base64, with padding or without, percent-encoded or not are all
    /// taken [O]; a plus is never a blank. `missing-signature`, `malformed-signature`, `unsupported-algorithm`.
    public init(header: String) throws(AlipayPlusError) {
        func malformed(_ reason: String) -> AlipayPlusError { AlipayPlusError(code: .malformedSignature, reason: reason) }
        guard header.utf8.count <= 4_096 else { throw malformed("the Signature header has \(header.utf8.count) bytes") }
        var fields: [String: String] = [:]
        // By bytes in an array: finding characters takes ten times as long, a text's own bytes five times, and every separator is one byte.
        let letters = Array(header.utf8)
        for part in letters.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let sign = part.firstIndex(of: UInt8(ascii: "=")) else {
                if letters.allSatisfy({ $0 == 0x20 }) { break }
                throw malformed("a part of the Signature header is not name=value")
            }
            let name = Self.trimmed(part[..<sign])
            guard fields.updateValue(Self.trimmed(part[(sign + 1)...]), forKey: name) == nil else {
                throw malformed("the Signature header names \(AlipayPlusError.quoted(name)) twice")
            }
        }
        guard let text = fields["signature"], !text.isEmpty else {
            throw AlipayPlusError(code: .missingSignature, reason: "there is no signature")
        }
        guard fields["algorithm"] == Self.algorithm else {
            throw AlipayPlusError(code: .unsupportedAlgorithm, reason: "the algorithm is not \(Self.algorithm)")
        }
        // Absent, it is the first version [I].
        let version = fields["keyVersion"] ?? "1"
        guard let number = Int(version), number >= 0, String(number) == version else { throw malformed("keyVersion is no number") }
        keyVersion = number
        guard let bytes = Self.decode(text) else { throw malformed("the signature is no base64") }
        self.bytes = bytes
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop { $0 == 0x20 }
        while bytes.last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a signature's value in any of the forms that are taken.
    package static func decode(_ text: String) -> [UInt8]? {
        guard var letters = PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: false) else { return nil }
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "-"): letters[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): letters[index] = UInt8(ascii: "/")
            default: break
            }
        }
        if !letters.contains(UInt8(ascii: "=")) {
            letters += repeatElement(UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
        }
        return try? StrictBase64.decode(utf8: letters[...])
    }

    /// The header as it is always written: no blanks, standard base64, percent-encoded.
    public var description: String {
        "algorithm=\(Self.algorithm),keyVersion=\(keyVersion),signature=\(PercentEncoding.encode(StrictBase64.encode(bytes).utf8))"
    }
}

extension AlipayPlusMessage {
    /// Signs with a key that may be held anywhere. Deterministic. `unusable-key` when it is no RSA key, or refuses.
    public func signed(by key: any MessageSigner, keyVersion: Int = 1) throws(AlipayPlusError) -> AlipayPlusSignature {
        do {
            return AlipayPlusSignature(
                keyVersion: keyVersion, bytes: try key.signature(over: stringToSign, algorithm: .rsaPKCS1SHA256))
        } catch {
            throw AlipayPlusError(code: .unusableKey, reason: "the key cannot sign with RSA and SHA-256")
        }
    }
}
