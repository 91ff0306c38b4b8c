import BillfoldPayments
package import BillfoldStorage
import PaymentCrypto

/// Where the next page of a list begins: behind one row of the list's order, whatever is inserted or removed meanwhile.
///
/// To its caller it is a text without a meaning. It belongs to one list with one filter, and is refused at any other. It gives nobody
/// a right: whoever lists by it is asked for a credential as ever.
package struct PageCursor: Sendable, Hashable {
    /// What a list is ordered by: the kinds of the values, the most significant first.
    package enum Key: Sendable, Hashable {
        case integer, text, blob
    }

    private static let form: UInt8 = 1
    private static let digestLength = 16
    /// No cursor of ours is longer.
    static let longest = 2_048

    /// The values of the row that was shown last, as the list is ordered by them.
    package let position: [SQLValue]
    private let digest: [UInt8]

    /// - Parameters:
    ///   - position: The values of the row that was shown last; none of them is null.
    ///   - digest: Of list and filter.
    init(position: [SQLValue], digest: [UInt8]) {
        self.position = position
        self.digest = Array(digest.prefix(Self.digestLength))
    }

    /// Reads what a caller sends back. `nil` for what is no cursor of this list: another list's, another filter's, or an invented one.
    init?(_ text: String, of digest: [UInt8], keys: [Key]) {
        guard text.utf8.count <= Self.longest, let bytes = Self.decode(text), bytes.first == Self.form else { return nil }
        var rest = bytes.dropFirst()
        guard rest.prefix(Self.digestLength).elementsEqual(digest.prefix(Self.digestLength)) else { return nil }
        rest = rest.dropFirst(Self.digestLength)
        var position: [SQLValue] = []
        for key in keys {
            guard let value = Self.value(key, &rest) else { return nil }
            position.append(value)
        }
        guard rest.isEmpty else { return nil }
        self.init(position: position, digest: digest)
    }

    /// As it stands in an answer and in a query: letters, digits, `-` and `_`.
    package var text: String {
        var bytes = [Self.form] + digest
        for value in position {
            switch value {
            case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
            case .text(let text): Self.append(Array(text.utf8), to: &bytes)
            case .blob(let blob): Self.append(blob, to: &bytes)
            case .null: Self.append([], to: &bytes)
            }
        }
        return String(
            StrictBase64.encode(bytes).compactMap { letter -> Character? in
                switch letter {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: letter
                }
            })
    }

    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") }) else { return nil }
        let letters = text.utf8.map { letter -> UInt8 in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
        return try? StrictBase64.decode(utf8: (letters + padding)[...])
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        bytes += [UInt8(truncatingIfNeeded: part.count >> 8), UInt8(truncatingIfNeeded: part.count)]
        bytes += part
    }

    private static func value(_ key: Key, _ rest: inout ArraySlice<UInt8>) -> SQLValue? {
        func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard key != .integer else {
            return take(8).map { .integer(Int64(bitPattern: $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })) }
        }
        guard let length = take(2), let part = take(Int(length[0]) << 8 | Int(length[1])) else { return nil }
        guard key == .text else { return .blob(part) }
        // A store takes no text with a zero in it.
        guard !part.contains(0), let text = String(validating: part, as: UTF8.self) else { return nil }
        return .text(text)
    }
}
