import Foundation

/// A value of a Swift type as JSON: what a server keeps in a row, and what it answers.
///
/// By default keys are sorted by their bytes, so that equal values have equal bytes; slashes stay as they are, absent optionals are left out,
/// `Data` is base64 and a `Date` a second in ISO 8601. Foundation's coder gives the same for these types, at two to three times the time.
public enum JSONDocument {
    /// - Parameters:
    ///   - value: What is written.
    ///   - sortsKeys: Whether keys are sorted; otherwise they stand as the value encodes them.
    ///   - scalarsAsTexts: Numbers and booleans become texts, as some partners write them.
    /// - Throws: `EncodingError` for a number that is none, and for what the value itself throws.
    public static func encode(_ value: some Encodable, sortsKeys: Bool = true, scalarsAsTexts: Bool = false) throws -> [UInt8] {
        if let text = try JSONTextEncoder.text(of: value, sortsKeys: sortsKeys, scalarsAsTexts: scalarsAsTexts) { return text }
        return JSONWriter.write(
            try JSONValue(encoding: value, scalarsAsTexts: scalarsAsTexts), style: JSONStyle(sortsKeys: sortsKeys))
    }

    /// Reads strictly, as ``JSONReader`` does, but without limits: it is for bytes of one's own.
    ///
    /// - Throws: ``JSONError`` for bytes that are no JSON, `DecodingError` for a value that does not fit.
    public static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try decode(type, JSONReader.read(bytes, maximumBytes: .max, maximumDepth: 512))
    }

    /// Reads a value of what was parsed already.
    ///
    /// - Throws: `DecodingError` for a value that does not fit.
    package static func decode<Value: Decodable>(_ type: Value.Type, _ value: JSONValue) throws -> Value {
        try JSONTreeDecoder(value).decode(type)
    }
}

/// How the types that are no containers of JSON are written.
enum JSONScalar {
    /// The text of a value of one of these types, nil of every other.
    static func text<Value>(_ value: Value) -> String? {
        // These three write themselves in other ways.
        if Value.self == Data.self, let data = value as? Data { return data.base64EncodedString() }
        if Value.self == Date.self, let date = value as? Date { return self.date(date) }
        if Value.self == URL.self, let url = value as? URL { return url.absoluteString }
        return nil
    }

    /// - Throws: `EncodingError` for infinity and what is no number.
    static func number(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws -> String {
        guard number.isFinite else {
            throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no such number"))
        }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func date(_ date: Date) -> String { date.formatted(.iso8601) }
    static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }
}
