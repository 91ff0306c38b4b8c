/// Reads strict JSON (RFC 8259) from what a stranger sent.
///
/// Refused, because two readers could disagree about them or because they cost more than they are worth: repeated
/// members, more than `maximumDepth` nested containers, anything after the value, a byte order mark, bytes that are not
/// UTF-8, escapes of lone surrogates, raw control characters, and input beyond `maximumBytes`. Unknown members survive.
public enum JSONReader {
    /// 64 KiB: room for every payment message seen, without letting a caller buy much work.
    public static let byteLimit = 65_536
    /// The deepest payment messages nest six containers.
    public static let depthLimit = 16

    /// `malformed-json`, `duplicate-key`, `too-large`, `too-deep`.
    public static func read(
        _ bytes: [UInt8], maximumBytes: Int = byteLimit, maximumDepth: Int = depthLimit
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= maximumBytes else {
            throw JSONError(code: .tooLarge, reason: "\(bytes.count) bytes, at most \(maximumBytes) are read")
        }
        // The closure cannot carry a typed error through `withUnsafeBufferPointer`, so it hands back a result.
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
            var cursor = JSONCursor(bytes: buffer, maximumDepth: maximumDepth)
            do throws(JSONError) {
                return .success(try cursor.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// As ``read(_:maximumBytes:maximumDepth:)``; `malformed-json` too for a value that is no object.
    public static func readObject(
        _ bytes: [UInt8], maximumBytes: Int = byteLimit, maximumDepth: Int = depthLimit
    ) throws(JSONError) -> JSONObject {
        guard case .object(let object) = try read(bytes, maximumBytes: maximumBytes, maximumDepth: maximumDepth) else {
            throw JSONError(code: .malformed, reason: "the outermost value is not an object")
        }
        return object
    }
}
