/// The text that a signature covers (ACP 5.1.0; reference marks: requests [V] reproduced from a published signature,
/// replies [V] on two real messages).
public enum StringToSign {
    /// Who made the message; the two directions differ in what becomes of empty values.
    public enum Direction: Sendable, Hashable {
        /// From the merchant: values are trimmed and empty ones dropped.
        case request
        /// From UnionPay, in a reply or a notification: empty values are kept, and every value stays exactly as received.
        case reply
    }

    /// Joins the fields, without `signature`, as `k=v&k=v` in the order of the keys' bytes. Values are not encoded.
    public static func text(_ fields: UnionPayFields, _ direction: Direction) -> String {
        join((direction == .request ? fields.normalized : fields).sorted)
    }

    static func join(_ entries: [UnionPayFields.Entry]) -> String {
        var text = ""
        text.reserveCapacity(entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 })
        for entry in entries where entry.name != "signature" {
            if !text.isEmpty { text += "&" }
            text += entry.name
            text += "="
            text += entry.value
        }
        return text
    }

    /// The bytes that are digested: the text in the message's own `encoding`.
    static func bytes(_ fields: UnionPayFields, _ direction: Direction) throws(UnionPayError) -> [UInt8] {
        try TextEncoding(of: fields).encode(text(fields, direction))
    }
}
