import BillfoldJSON

/// A token inside of what pages and processors put round it: `event.payment`, a body with `token_data`.
struct WrappedToken {
    /// The members that lead to it, joined by points.
    let path: String
    let bytes: [UInt8]

    /// How deep a token may lie.
    private static let depth = 5

    /// Whether an object is a token itself, in either form.
    static func isToken(_ object: JSONObject) -> Bool {
        object["paymentData"] != nil || (object["header"] != nil && object["signature"] != nil && object["data"] != nil)
    }

    /// Nil where no token lies in the object.
    init?(in object: JSONObject) {
        guard let found = Self.find(in: .object(object), Self.depth) else { return nil }
        (path, bytes) = (found.path.joined(separator: "."), found.bytes)
    }

    private static func find(in value: JSONValue, _ depth: Int) -> (path: [String], bytes: [UInt8])? {
        guard depth > 0 else { return nil }
        switch value {
        case .object(let object):
            for member in object.members {
                if let inner = member.value.object, isToken(inner) { return ([member.key], JSONWriter.write(inner)) }
                if let text = member.value.string, let bytes = token(in: text) { return ([member.key], bytes) }
                if let found = find(in: member.value, depth - 1) { return ([member.key] + found.path, found.bytes) }
            }
        case .array(let values):
            for (index, value) in values.prefix(16).enumerated() {
                if let found = find(in: value, depth - 1) { return ([String(index)] + found.path, found.bytes) }
            }
        default: break
        }
        return nil
    }

    /// A token as a text: its JSON, or base64 of it. Other objects in texts are no business of this.
    private static func token(in text: String) -> [UInt8]? {
        guard text.utf8.count > 256 else { return nil }
        let bytes = Array(text.utf8)
        if let object = try? JSONReader.readObject(bytes, maximumBytes: bytes.count) { return isToken(object) ? bytes : nil }
        return text.hasPrefix("ey") && TransportRepair(bytes) != nil ? bytes : nil
    }
}
