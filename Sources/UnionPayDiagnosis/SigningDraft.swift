import Crypto
import Foundation
import PaymentCrypto
import UnionPay

/// One hypothesis of how the signed bytes were made. The right way is the draft as it is made; each ``SigningFault``
/// bends it.
struct SigningDraft: Sendable, Hashable {
    enum Order: Sendable, Hashable {
        case bytes
        case arrival
        case ignoringCase
    }

    enum Digest: Sendable, Hashable {
        /// The right one: lower-case hex text of the digest, which the signature hashes again.
        case hexText
        case upperHexText
        case rawDigest
        /// The signature's own hash alone.
        case none
        /// Version 5.0.0: SHA-1 twice.
        case legacySHA1
        /// The right digest, signed with the SHA-1 that signing functions take where no hash is named.
        case hexTextByRSASHA1
        /// SHA-1 alone.
        case noneByRSASHA1

        /// Whether the signature's own hash is SHA-1.
        var isSHA1: Bool { self == .legacySHA1 || self == .hexTextByRSASHA1 || self == .noneByRSASHA1 }
    }

    var entries: [UnionPayFields.Entry]
    /// The signature's text, which lies outside what is signed and may be damaged on its own.
    var signature: String
    var order = Order.bytes
    var keepsEmpty: Bool
    var trims: Bool
    /// Characters that stay as they are in values, or `nil` when values are not encoded.
    var unreserved: String?
    var encoding: TextEncoding
    var digest = Digest.hexText
    var suffix = ""

    init(_ fields: UnionPayFields, _ direction: StringToSign.Direction) {
        entries = fields.entries.filter { $0.name != "signature" }
        signature = fields["signature"] ?? ""
        keepsEmpty = direction == .reply
        trims = direction == .request
        encoding = (try? TextEncoding(of: fields)) ?? .utf8
    }

    subscript(name: String) -> String? {
        get { entries.first { $0.name == name }?.value }
        set {
            if let index = entries.firstIndex(where: { $0.name == name }) {
                if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
            } else if let newValue {
                entries.append(.init(name, newValue))
            }
        }
    }

    /// The signed bytes, or `nil` when the encoding cannot carry the text.
    var bytes: [UInt8]? {
        var list = entries
        if trims { list = (try? UnionPayFields(list))?.trimmedKeepingEmpty.entries ?? list }
        if !keepsEmpty { list = list.filter { !$0.value.isEmpty } }
        switch order {
        case .bytes: list.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        case .ignoringCase: list.sort { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
        case .arrival: break
        }
        if let unreserved {
            for index in list.indices {
                guard let value = try? encoding.encode(list[index].value) else { return nil }
                list[index].value = Self.escape(value, unreserved)
            }
        }
        return try? encoding.encode(StringToSign.join(list) + suffix)
    }

    private static func escape(_ bytes: [UInt8], _ unreserved: String) -> String {
        let kept = Set(unreserved.utf8)
        return bytes.map { byte in
            let isAlphanumeric = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            if isAlphanumeric || kept.contains(byte) { return String(UnicodeScalar(byte)) }
            if byte == 0x20, kept.contains(UInt8(ascii: "*")) { return "+" }
            return PercentEncoding.encode([byte], plain: "*")
        }.joined()
    }

    /// What an RSA signature covers under this hypothesis, before the signature's own hash.
    func message(_ bytes: [UInt8]) -> [UInt8] {
        switch digest {
        case .hexText, .hexTextByRSASHA1: SignatureDigest.sha256HexText(bytes)
        case .upperHexText: Array(Hexadecimal.encode(SHA256.hash(data: bytes)).uppercased().utf8)
        case .rawDigest: Array(SHA256.hash(data: bytes))
        case .none, .noneByRSASHA1: bytes
        case .legacySHA1: LegacyRSASHA1.hexText(bytes)
        }
    }
}

extension UnionPayFields {
    /// As `normalized`, with empty values kept.
    var trimmedKeepingEmpty: UnionPayFields {
        let kept = normalized.dictionary
        var result = self
        for entry in entries { result[entry.name] = kept[entry.name] ?? "" }
        return result
    }
}
