import Foundation
import PaymentCrypto

/// What the bytes of an ephemeral key are, and the point that they stand for (provisioning.md#failures, rows 9, 10 and 14).
struct EphemeralKeyForm {
    enum Mistake: Equatable {
        /// In words.
        case form(String)
        /// A coordinate that begins with a zero was shortened, or filled at the wrong end.
        case padding(String)
        /// Letters in the place of the bytes.
        case text(String)
    }

    let mistake: Mistake?
    /// The uncompressed point, where it can be known.
    let point: [UInt8]?

    init(_ bytes: [UInt8]) {
        (mistake, point) = Self.read(bytes)
    }

    private static func read(_ bytes: [UInt8]) -> (Mistake?, [UInt8]?) {
        if isPoint(bytes) { return (nil, bytes) }
        if bytes.count == 91, isPoint(Array(bytes.suffix(65))) {
            return (.form("a SubjectPublicKeyInfo of 91 bytes"), Array(bytes.suffix(65)))
        }
        if bytes.count == 97, isPoint(Array(bytes.prefix(65))) {
            return (.form("a private key of 97 bytes: the point with the secret scalar behind it"), Array(bytes.prefix(65)))
        }
        if bytes.count == 65, bytes[0] == 6 || bytes[0] == 7, isPoint([4] + bytes.dropFirst()) {
            return (.form("a hybrid point that begins with 0\(bytes[0])"), [4] + Array(bytes.dropFirst()))
        }
        if bytes.count == 64, isPoint([4] + bytes) { return (.form("64 bytes: 04 in front is missing"), [4] + bytes) }
        if bytes.count == 33, bytes[0] == 2 || bytes[0] == 3 { return (.form("a compressed point of 33 bytes"), nil) }
        if let text = String(utf8: bytes) {
            if let point = try? Hexadecimal.decode(text), isPoint(point) {
                return (.form("hexadecimal text of \(bytes.count) letters"), point)
            }
            if let point = try? StrictBase64.decode(text), isPoint(point) { return (.text("base64"), point) }
            if let key = try? PublicKey(pem: text), let point = key.x963, isPoint(point) { return (.form("PEM text"), point) }
        }
        if let (words, point) = padded(bytes) { return (.padding(words), point) }
        return (.form("\(bytes.count) bytes\(bytes.count == 65 ? " off the curve" : "")"), nil)
    }

    /// A short coordinate loses its leading zero, or gets it at its end.
    private static func padded(_ bytes: [UInt8]) -> (String, [UInt8])? {
        if bytes.count == 64, bytes[0] == 4 {
            for (place, name) in [(1, "X"), (33, "Y")] {
                var point = bytes
                point.insert(0, at: place)
                if isPoint(point) { return ("\(name) has 31 bytes", point) }
            }
        }
        if bytes.count == 65, bytes[0] == 4 {
            for (range, name) in [(1..<33, "X"), (33..<65, "Y")] where bytes[range.upperBound - 1] == 0 {
                var point = bytes
                point.remove(at: range.upperBound - 1)
                point.insert(0, at: range.lowerBound)
                if isPoint(point) { return ("\(name) is filled at its end", point) }
            }
        }
        return nil
    }

    private static func isPoint(_ bytes: [UInt8]) -> Bool {
        bytes.count == 65 && bytes[0] == 4 && (try? PublicKey(subjectPublicKeyInfo: subjectPublicKeyInfo(bytes))) != nil
    }

    static func subjectPublicKeyInfo(_ point: [UInt8]) -> [UInt8] { PublicKey.p256Prefix + point }
}
