/// Refuses a request whose body does not fit its schema, with a server's own error.
package protocol RequestRefusal: Error {
    /// - Parameter reason: Names the field; holds no value of it.
    static func malformed(_ reason: String) -> Self
}

/// Reads one JSON object of a request against a closed schema: what is not asked for is refused, so that a misspelt field is
/// never silently ignored.
package struct ClosedObjectReader<Refusal: RequestRefusal> {
    package let object: JSONObject
    private let path: String

    package init(_ bytes: [UInt8], allowing keys: [String]) throws(Refusal) {
        let object: JSONObject
        do throws(JSONError) {
            object = try JSONReader.readObject(bytes, maximumBytes: 262_144)
        } catch {
            throw Refusal.malformed("the body is not strict JSON: \(error.code)")
        }
        try self.init(object, path: "", allowing: keys)
    }

    /// - Parameter path: Where the object stands in the body, for refusals; with a dot at its end.
    package init(_ object: JSONObject, path: String, allowing keys: [String]) throws(Refusal) {
        self.object = object
        self.path = path
        // By their bytes, as members are looked up: what only looks like a key would be passed over. A schema has few, and needs no table.
        let unknown = object.members.first { member in !keys.contains { ExactText.equal($0, member.key) } }
        if let unknown {
            throw Self.malformed(path + Self.printable(unknown.key), "is not a field here; there are \(keys.joined(separator: ", "))")
        }
    }

    package func text(_ key: String, maximum: Int = 256) throws(Refusal) -> String {
        guard let text = try optionalText(key, maximum: maximum) else { throw Self.malformed(path + key, "is missing") }
        return text
    }

    /// Absent and `null` are the same. Lengths count Unicode scalars, as JSON Schema does. Control characters are refused: no name of ours has any.
    package func optionalText(_ key: String, maximum: Int = 256) throws(Refusal) -> String? {
        switch object[key] {
        case nil, .null?: return nil
        case .string(let text)?:
            guard PlainText.holds(text, maximum: maximum) else {
                throw Self.malformed(path + key, "is not 1 to \(maximum) characters of plain text")
            }
            return text
        default: throw Self.malformed(path + key, "is not text")
        }
    }

    /// As ``optionalText(_:maximum:)``, and an empty text is absent too: browsers hand one over for what they do not know.
    package func filledText(_ key: String, maximum: Int = 256) throws(Refusal) -> String? {
        if case .string("")? = object[key] { return nil }
        return try optionalText(key, maximum: maximum)
    }

    package func integer(_ key: String, in range: ClosedRange<Int64>) throws(Refusal) -> Int64 {
        guard let number = object[key]?.integer, range.contains(number) else {
            throw Self.malformed(path + key, "is not an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func bool(_ key: String) throws(Refusal) -> Bool {
        guard let value = object[key]?.bool else { throw Self.malformed(path + key, "is not true or false") }
        return value
    }

    package func texts(_ key: String, maximum: Int, length: Int = 256, allowingEmpty: Bool = false) throws(Refusal) -> [String] {
        guard let member = object[key] else { return [] }
        guard let values = member.array, values.count <= maximum else {
            throw Self.malformed(path + key, "is not a list of at most \(maximum)")
        }
        var result: [String] = []
        for value in values {
            guard let text = value.string, allowingEmpty && text.isEmpty || PlainText.holds(text, maximum: length) else {
                throw Self.malformed(path + key, "holds something other than plain text")
            }
            result.append(text)
        }
        return result
    }

    package func object(_ key: String, allowing keys: [String]) throws(Refusal) -> ClosedObjectReader? {
        switch object[key] {
        case nil, .null?: return nil
        case .object(let inner)?: return try ClosedObjectReader(inner, path: path + key + ".", allowing: keys)
        default: throw Self.malformed(path + key, "is not an object")
        }
    }

    package func objects(_ key: String, maximum: Int, allowing keys: [String]) throws(Refusal) -> [ClosedObjectReader] {
        guard let member = object[key] else { return [] }
        guard let values = member.array, values.count <= maximum else {
            throw Self.malformed(path + key, "is not a list of at most \(maximum)")
        }
        var result: [ClosedObjectReader] = []
        for value in values {
            guard let inner = value.object else { throw Self.malformed(path + key, "holds something other than objects") }
            result.append(try ClosedObjectReader(inner, path: path + key + ".", allowing: keys))
        }
        return result
    }

    package static func malformed(_ field: String, _ problem: String) -> Refusal {
        Refusal.malformed("\(field) \(problem)")
    }

    /// Which of the known values a text is. One that is none is refused with all of them.
    package static func known<Value: RawRepresentable & CaseIterable>(
        _ text: String, in field: String, as type: Value.Type = Value.self
    ) throws(Refusal) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            throw malformed(field, "is none of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(40).map { (0x21...0x7e).contains($0.value) ? Character($0) : "?" })
    }
}

/// What a field of text may hold. Outside the reader, which is generic and runs unspecialised in other modules: no loop over bytes there.
private enum PlainText {
    /// Whether a text has 1 to `maximum` Unicode scalars and no control character.
    static func holds(_ text: String, maximum: Int) -> Bool {
        // A byte below 0x80 is a scalar of its own, and no text has more scalars than bytes.
        guard !text.isEmpty, text.utf8.count <= maximum || text.unicodeScalars.count <= maximum else { return false }
        var text = text
        return text.withUTF8 { !PlainRun.holdsControl(UnsafeRawBufferPointer($0)) }
    }
}
