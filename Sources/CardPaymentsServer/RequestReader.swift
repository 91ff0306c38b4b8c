import ApplePay

/// Reads one JSON object of a request against a closed schema: what is not asked for is refused, so that a misspelt field is
/// never silently ignored.
struct RequestReader {
    let object: JSONObject
    private let path: String

    init(_ bytes: [UInt8], allowing keys: Set<String>) throws(CardPaymentsError) {
        let object: JSONObject
        do throws(ApplePayError) {
            object = try JSONReader.readObject(bytes, maximumBytes: 262_144)
        } catch {
            throw CardPaymentsError(code: .malformedRequest, reason: "the body is not strict JSON: \(error.code)")
        }
        try self.init(object, path: "", allowing: keys)
    }

    private init(_ object: JSONObject, path: String, allowing keys: Set<String>) throws(CardPaymentsError) {
        self.object = object
        self.path = path
        if let unknown = object.members(besides: keys).first {
            throw Self.malformed(path + Self.printable(unknown.key), "is not a field here")
        }
    }

    func text(_ key: String, maximum: Int = 256) throws(CardPaymentsError) -> String {
        guard let text = try optionalText(key, maximum: maximum) else { throw Self.malformed(path + key, "is missing") }
        return text
    }

    /// Absent and `null` are the same. Lengths count Unicode scalars, as JSON Schema does. Control characters are refused: no name of ours has any.
    func optionalText(_ key: String, maximum: Int = 256) throws(CardPaymentsError) -> String? {
        switch object[key] {
        case nil, .null?: return nil
        case .string(let text)?:
            let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
            guard !text.isEmpty, text.unicodeScalars.count <= maximum, isPlain else {
                throw Self.malformed(path + key, "is not 1 to \(maximum) characters of plain text")
            }
            return text
        default: throw Self.malformed(path + key, "is not text")
        }
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(CardPaymentsError) -> Int64 {
        guard let number = object[key]?.integer, range.contains(number) else {
            throw Self.malformed(path + key, "is not an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func texts(_ key: String, maximum: Int) throws(CardPaymentsError) -> [String] {
        guard let member = object[key] else { return [] }
        guard let values = member.array, values.count <= maximum else {
            throw Self.malformed(path + key, "is not a list of at most \(maximum)")
        }
        var result: [String] = []
        for value in values {
            guard let text = value.string, !text.isEmpty, text.unicodeScalars.count <= 256,
                text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
            else { throw Self.malformed(path + key, "holds something other than plain text") }
            result.append(text)
        }
        return result
    }

    func object(_ key: String, allowing keys: Set<String>) throws(CardPaymentsError) -> RequestReader? {
        switch object[key] {
        case nil, .null?: return nil
        case .object(let inner)?: return try RequestReader(inner, path: path + key + ".", allowing: keys)
        default: throw Self.malformed(path + key, "is not an object")
        }
    }

    func objects(_ key: String, maximum: Int, allowing keys: Set<String>) throws(CardPaymentsError) -> [RequestReader] {
        guard let member = object[key] else { return [] }
        guard let values = member.array, values.count <= maximum else {
            throw Self.malformed(path + key, "is not a list of at most \(maximum)")
        }
        var result: [RequestReader] = []
        for value in values {
            guard let inner = value.object else { throw Self.malformed(path + key, "holds something other than objects") }
            result.append(try RequestReader(inner, path: path + key + ".", allowing: keys))
        }
        return result
    }

    static func malformed(_ field: String, _ problem: String) -> CardPaymentsError {
        CardPaymentsError(code: .malformedRequest, reason: "\(field) \(problem)")
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(40).map { (0x21...0x7e).contains($0.value) ? Character($0) : "?" })
    }
}
