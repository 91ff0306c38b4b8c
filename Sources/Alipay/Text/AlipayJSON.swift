public import BillfoldJSON

/// Reads the JSON inside of orders, answers and URLs, and refuses it in this library's codes.
public enum AlipayJSON {
    /// The most bytes that are read.
    public static let maximumLength = 1_048_576

    /// Reads strict JSON (RFC 8259) in UTF-8. `malformed-json`, `duplicate-key`, or `too-large` for bytes and nesting alike.
    public static func read(_ bytes: [UInt8]) throws(AlipayError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(bytes, maximumBytes: maximumLength)
        } catch {
            let code: AlipayError.Code =
                switch error.code {
                case .malformed: .malformedJSON
                case .duplicateKey: .duplicateKey
                case .tooLarge, .tooDeep: .tooLarge
                }
            throw AlipayError(code: code, reason: error.reason)
        }
    }

    /// Reads a text as its UTF-8 bytes are read, with the same refusals.
    public static func read(_ text: String) throws(AlipayError) -> JSONValue { try read(Array(text.utf8)) }
}
