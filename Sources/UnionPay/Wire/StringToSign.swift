/// The text that a signature covers (ACP 5.1.0, apple-pay.md#signatures: requests [V] reproduced from a published signature,
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
        join(entries(fields, direction))
    }

    private static func entries(_ fields: UnionPayFields, _ direction: Direction) -> [UnionPayFields.Entry] {
        (direction == .request ? fields.normalized : fields).sorted
    }

    package static func join(_ entries: [UnionPayFields.Entry]) -> String { String(decoding: utf8(entries), as: UTF8.self) }

    private static func utf8(_ entries: [UnionPayFields.Entry]) -> [UInt8] {
        let signed = entries.filter { $0.name != "signature" }
        let length = signed.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
        return .written(capacity: length) { text in
            for entry in signed { text.addPair(entry.name) { $0.add(entry.value) } }
        }
    }

    /// The bytes that are digested: the text in the message's own `encoding`.
    static func bytes(_ fields: UnionPayFields, _ direction: Direction) throws(UnionPayError) -> [UInt8] {
        let encoding = try TextEncoding(of: fields)
        guard encoding == .utf8 else { return try encoding.encode(text(fields, direction)) }
        return utf8(entries(fields, direction))
    }
}
