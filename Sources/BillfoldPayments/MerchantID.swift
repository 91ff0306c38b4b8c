import BillfoldStorage

/// The merchant whose books a row belongs to: the shard key that every table's primary key starts with.
public struct MerchantID: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// Accepts 1 to 64 ASCII letters, digits, `.`, `_`, `:` and `-`.
    public init(_ text: String) throws(PaymentsError) {
        let fits = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard fits, (1...64).contains(text.utf8.count) else {
            throw PaymentsError(
                code: .malformedIdentifier, reason: "a merchant id is 1 to 64 ASCII letters, digits, '.', '_', ':' or '-'")
        }
        description = text
    }

    /// A name that the program itself gives: what belongs to a server and to no merchant of its.
    package init(own name: StaticString) { description = name.description }

    var sql: SQLValue { .text(description) }
}

extension MerchantID: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
