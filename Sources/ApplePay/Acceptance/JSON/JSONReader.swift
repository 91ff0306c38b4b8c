/// Reads strict JSON (RFC 8259) from what a stranger sent.
///
/// Refused, because two readers could disagree about them or because they cost more than they are worth: duplicate
/// keys, more than `maximumDepth` nested containers, anything after the value, a byte order mark, bytes that are not
/// UTF-8, escapes of lone surrogates, raw control characters, and input beyond `maximumBytes`. Unknown keys survive.
public enum JSONReader {
    /// A token is about 4 KB; 64 KiB leaves room for unusual certificates without letting a caller buy much work.
    public static let tokenLimit = 65_536

    public static func read(
        _ bytes: [UInt8], maximumBytes: Int = tokenLimit, maximumDepth: Int = 16
    ) throws(ApplePayError) -> JSONValue {
        guard bytes.count <= maximumBytes else {
            throw ApplePayError(code: .tooLarge, reason: "\(bytes.count) bytes, at most \(maximumBytes) are read")
        }
        // The closure cannot carry a typed error through `withUnsafeBufferPointer`, so it hands back a result.
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, ApplePayError> in
            var cursor = JSONCursor(bytes: buffer, maximumDepth: maximumDepth)
            do throws(ApplePayError) {
                return .success(try cursor.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    public static func readObject(
        _ bytes: [UInt8], maximumBytes: Int = tokenLimit, maximumDepth: Int = 16
    ) throws(ApplePayError) -> JSONObject {
        guard case .object(let object) = try read(bytes, maximumBytes: maximumBytes, maximumDepth: maximumDepth) else {
            throw ApplePayError(code: .malformedJSON, reason: "the outermost value is not an object")
        }
        return object
    }
}
