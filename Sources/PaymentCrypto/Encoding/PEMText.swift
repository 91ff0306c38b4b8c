import Foundation

/// The blocks of a PEM text (RFC 7468), read leniently around the blocks and strictly inside them.
///
/// Text before, between and after blocks is skipped, as tools write bag attributes there. Lines may be of any length.
public struct PEMText: Sendable {
    /// What stands between one BEGIN and its END.
    public struct Block: Sendable, Equatable {
        /// What stands after BEGIN, such as `EC PRIVATE KEY`.
        public var label: String
        public var bytes: [UInt8]

        public init(label: String, bytes: [UInt8]) {
            self.label = label
            self.bytes = bytes
        }

        /// The block as text, 64 letters a line.
        public var text: String {
            let letters = Array(StrictBase64.encode(bytes).utf8)
            var lines = ["-----BEGIN \(label)-----"]
            for start in stride(from: 0, to: letters.count, by: 64) {
                lines.append(String(decoding: letters[start..<min(start + 64, letters.count)], as: UTF8.self))
            }
            lines.append("-----END \(label)-----\n")
            return lines.joined(separator: "\n")
        }
    }

    public var blocks: [Block]

    /// Reads every block; throws `malformed-pem` for a block that does not end, or whose letters are no base64.
    public init(_ text: String) throws(PaymentCryptoError) {
        var found = [Block]()
        var label: String?
        var letters = [UInt8]()
        for line in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
            let line = line.trimmingPrefix { $0 == " " || $0 == "\t" }
            if let begun = Self.label(in: line, marker: "-----BEGIN ") {
                guard label == nil else {
                    throw PaymentCryptoError(code: .malformedPEM, reason: "a block begins inside another block")
                }
                label = begun
                letters = []
            } else if let ended = Self.label(in: line, marker: "-----END ") {
                guard let begun = label, begun == ended else {
                    throw PaymentCryptoError(code: .malformedPEM, reason: "a block ends under another label")
                }
                do {
                    found.append(Block(label: begun, bytes: try StrictBase64.decode(utf8: letters[...])))
                } catch {
                    throw PaymentCryptoError(code: .malformedPEM, reason: "block \(begun): \(error.reason)")
                }
                label = nil
            } else if label != nil {
                letters.append(contentsOf: line.utf8.filter { $0 != 0x20 && $0 != 0x09 })
            }
        }
        guard label == nil else { throw PaymentCryptoError(code: .malformedPEM, reason: "a block does not end") }
        blocks = found
    }

    /// The bytes of the first block with one of the labels; throws `malformed-pem` when there is none.
    public func first(_ labels: String...) throws(PaymentCryptoError) -> [UInt8] {
        guard let block = blocks.first(where: { labels.contains($0.label) }) else {
            throw PaymentCryptoError(
                code: .malformedPEM, reason: "no block labelled \(labels.joined(separator: " or ")) was found")
        }
        return block.bytes
    }

    private static func label(in line: Substring, marker: String) -> String? {
        guard line.hasPrefix(marker) else { return nil }
        let rest = line.dropFirst(marker.count)
        guard let end = rest.range(of: "-----") else { return nil }
        return String(rest[..<end.lowerBound])
    }
}
